// Damage is made from a seed, so that a file is told by its number alone. A crash ends the process, so that a handler
// of its signal has to print the seed.

#include "tests/fuzz/damaged_files.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <limits>
#include <random>

namespace octavo {
namespace {

/// Damages a file in one to four places, in ways that often break decoders.
class Mutator {
 public:
  explicit Mutator(std::uint32_t seed) : random_(seed) {}

  std::string operator()(std::string bytes) {
    for (std::uint32_t changes = 1 + below(4); changes > 0 && !bytes.empty(); --changes) {
      const std::size_t at = below(static_cast<std::uint32_t>(bytes.size()));
      const std::size_t length = std::min<std::size_t>(1 + below(8), bytes.size() - at);
      switch (below(6)) {
        case 0:  // a bit
          bytes[at] = static_cast<char>(bytes[at] ^ 1 << below(8));
          break;
        case 1:  // any byte
          bytes[at] = static_cast<char>(below(256));
          break;
        case 2:  // a number at an end of its range
          std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(at), length, below(2) == 0 ? '\xFF' : '\0');
          break;
        case 3:  // bytes lost
          bytes.erase(at, length);
          break;
        case 4:  // bytes twice
          bytes.insert(at, bytes.substr(at, length));
          break;
        default:  // the end lost
          bytes.resize(at);
      }
    }
    return bytes;
  }

 private:
  /// A number below `limit`. The standard's distributions differ between libraries, and this does not. Its slight bias
  /// does no harm.
  std::uint32_t below(std::uint32_t limit) { return static_cast<std::uint32_t>(random_() % limit); }

  std::mt19937 random_;
};

// A crash ends the test before it can print the seed, so that the handler of the signal prints it.
volatile std::uint32_t seed_of_a_crash = 0;

void tell_seed(int signal) {
  std::array<char, 40> text{"OCTAVO_FUZZ_SEED="};
  std::size_t length = std::strlen(text.data());
  for (std::uint32_t unit = 1'000'000'000; unit > 0; unit /= 10) {
    text[length++] = static_cast<char>('0' + seed_of_a_crash / unit % 10);
  }
  text[length++] = '\n';
  static_cast<void>(!write(STDOUT_FILENO, text.data(), length));
  std::raise(signal);  // its handler is reset
}

// The handler has a stack of its own, since a crash may be an overflow of the stack.
void tell_seed_of_crashes() {
  static std::array<std::byte, 1 << 16> stack;
  const stack_t alternative{.ss_sp = stack.data(), .ss_flags = 0, .ss_size = stack.size()};
  sigaltstack(&alternative, nullptr);
  struct sigaction action {};
  action.sa_handler = tell_seed;
  action.sa_flags = SA_ONSTACK | SA_RESETHAND | SA_NODEFER;
  for (const int signal : {SIGABRT, SIGSEGV, SIGFPE, SIGBUS}) sigaction(signal, &action, nullptr);
}

}  // namespace

std::string text_of(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

Count read_damaged(const std::vector<Original>& originals, std::size_t rounds,
                   const std::function<bool(const std::string&, const std::string&)>& read) {
  constexpr std::chrono::seconds time{OCTAVO_FUZZ_SECONDS};
  const char* const asked = std::getenv("OCTAVO_FUZZ_SEED");
  const char* const asked_files = std::getenv("OCTAVO_FUZZ_FILES");
  const std::size_t wanted = asked_files != nullptr ? std::strtoul(asked_files, nullptr, 10)
                             : time.count() > 0     ? std::numeric_limits<std::size_t>::max()
                                                    : rounds * originals.size();
  const auto first = asked != nullptr ? static_cast<std::uint32_t>(std::strtoul(asked, nullptr, 10)) : 0;
  tell_seed_of_crashes();
  const auto start = std::chrono::steady_clock::now();
  Count count;
  std::uint32_t files = 0;
  const auto is_done = [&] {
    const bool is_late = asked_files == nullptr && time.count() > 0 && std::chrono::steady_clock::now() - start > time;
    return is_late || files >= wanted;
  };
  for (; !is_done() && !testing::Test::HasFailure(); ++files) {
    const std::uint32_t seed = first + files;
    const Original& original = originals[seed % originals.size()];
    const std::string name = original.name + ", OCTAVO_FUZZ_SEED=" + std::to_string(seed);
    seed_of_a_crash = seed;
    ++(read(Mutator(seed)(original.bytes), name) ? count.whole : count.errors);
  }
  std::printf("%u files from OCTAVO_FUZZ_SEED=%u: %d read, %d errors\n", files, first, count.whole, count.errors);
  return count;
}

void expect_both(const Count& count) {
  EXPECT_GT(50 * count.whole, count.errors);
  EXPECT_GT(4 * count.errors, count.whole);
}

}  // namespace octavo
