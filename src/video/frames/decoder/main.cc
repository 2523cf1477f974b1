// The program octavo-decode, which the library starts to decode a video (frames/helper_process.h): reads a file from
// the standard input, and writes messages (frames/messages.h) to the standard output. It opens no file by a name that
// it is told.

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
#include "video/frames/decoder/decode.h"
#include "video/frames/decoder/end_with_reader.h"
#include "video/frames/decoder/failure.h"
#include "video/frames/decoder/message_output.h"
#include "video/frames/request.h"

int main(int argc, char** argv) {
  using namespace octavo;
  video::Request request;
  try {
    request = video::request_in(std::vector<std::string>(argv + 1, argv + argc));
  } catch (const Error& error) {
    std::fprintf(stderr, "octavo-decode: %s\n", error.what());
    return 2;
  }
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  std::signal(SIGPIPE, SIG_IGN);
  video::end_with_reader();
  video::keep_messages();
  video::MessageOutput output;
  try {
    video::decode(request, output);
  } catch (const std::bad_alloc&) {
    output.send(video::FailureMessage{"there is not enough memory for its frames"});
  } catch (const std::exception& error) {
    output.send(video::FailureMessage{error.what()});
  }
  _exit(EXIT_SUCCESS);  // without the destructors of libraries, beside which the other thread still runs
}
