// The program octavo-encode, which the library starts to encode a video (frames/helper_process.h): reads images from
// the standard input, and writes the file that the library has opened (frames/encode_request.h). It opens no file.

#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>
#include <string>
#include <vector>

#include "octavo/error.h"
#include "video/frames/decoder/end_with_reader.h"
#include "video/frames/decoder/failure.h"
#include "video/frames/decoder/message_output.h"
#include "video/frames/encode_request.h"
#include "video/frames/encoder/encode.h"

int main(int argc, char** argv) {
  using namespace octavo;
  video::EncodeRequest request;
  try {
    request = video::encode_request_in(std::vector<std::string>(argv + 1, argv + argc));
  } catch (const Error& error) {
    std::fprintf(stderr, "octavo-encode: %s\n", error.what());
    return 2;
  }
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);  // a limit of the file's size is an error of writing
  video::end_with_reader();
  video::keep_messages();
  video::MessageOutput output;
  try {
    video::encode(request, output);
  } catch (const std::bad_alloc&) {
    output.send(video::FailureMessage{"there is not enough memory for its frames"});
  } catch (const std::exception& error) {
    output.send(video::FailureMessage{error.what()});
  }
  _exit(EXIT_SUCCESS);  // without the destructors of libraries, beside which the other thread still runs
}
