#include <fcntl.h>
#include <unistd.h>

#include <climits>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "base/wire.hpp"
#include "probe/modes.hpp"
#include "probe/swapfile_maker.hpp"

namespace swaprig::probe {

namespace {

struct Options {
  std::vector<SwapfileCell> cells;
  std::uint64_t repeat = 1;
  std::string result = wire::k_creations_path;
  SwapfileMaker::Options maker;
};

Options parse(int argc, char** argv) {
  constexpr std::uint64_t k_most_repeats = 100;
  Options options;
  for (int i = 0; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (const auto cell = option_value(argument, "cell")) {
      options.cells.push_back(parse_cell(*cell));
    } else if (const auto repeat = option_value(argument, "repeat")) {
      const auto number = to_number(*repeat);
      if (!number || *number < 1 || *number > k_most_repeats) throw Failure("not a number from 1 to 100: " + std::string(argument));
      options.repeat = *number;
    } else if (const auto nocow = option_value(argument, "nocow")) {
      options.maker.nocow = *nocow != "0";
    } else if (const auto result = option_value(argument, "result")) {
      options.result = *result;
    } else if (const auto swaps = option_value(argument, "swaps")) {
      options.maker.swaps = *swaps;
    } else if (const auto sync = option_value(argument, "sync")) {
      options.maker.sync = *sync != "0";
    } else {
      throw Failure("unknown argument " + std::string(argument));
    }
  }
  if (options.cells.empty()) throw Failure("no cell named");
  return options;
}

std::string working_directory() {
  std::string path(PATH_MAX, '\0');
  if (getcwd(path.data(), path.size()) == nullptr) fail("cannot tell the working directory");
  path.resize(path.find('\0'));
  return path;
}

/// Each pass runs the other way round than the one before, so that what drifts hits all cells alike.
void make_all(Options& options, SwapfileMaker& maker) {
  for (std::uint64_t pass = 0; pass < options.repeat; ++pass) {
    const auto count = options.cells.size();
    for (std::size_t i = 0; i < count; ++i) maker.make(options.cells[pass % 2 == 0 ? i : count - 1 - i]);
  }
}

std::string result_of(const Options& options, const std::string& file_system) {
  std::string result;
  for (const auto& cell : options.cells) {
    wire::Fields fields = {{"method", cell.method},
                           {"size_bytes", std::to_string(cell.size)},
                           {"block_bytes", std::to_string(cell.block)},
                           {"durable", cell.durable ? "1" : "0"},
                           {"file_system", file_system}};
    for (const auto& timing : cell.timings) {
      fields.emplace_back("timing", std::to_string(timing.real_ns) + " " + std::to_string(timing.user_us) + " " +
                                        std::to_string(timing.system_us));
    }
    if (!cell.unsupported.empty()) fields.emplace_back("unsupported", cell.unsupported);
    wire::append_section(result, wire::k_cell_section, wire::encode_fields(fields));
  }
  return result;
}

}  // namespace

int swapfiles_mode(int argc, char** argv) {
  // The tools' words are looked at.
  setenv("LC_ALL", "C", 1);
  auto options = parse(argc, argv);
  unlink(options.result.c_str());
  SwapfileMaker maker(working_directory(), options.maker);
  try {
    make_all(options, maker);
  } catch (const NoRoom& full) {
    std::fprintf(stderr, "swapfiles: %s\n", full.what());
    return wire::k_no_room_status;
  }
  const Descriptor file(open(options.result.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
  if (!file || !write_all(file.get(), result_of(options, maker.file_system()))) fail("cannot write " + options.result);
  std::printf("swapfiles: %zu cells, each up to %llu times, on %s\n", options.cells.size(),
              static_cast<unsigned long long>(options.repeat), maker.file_system().c_str());
  return 0;
}

}  // namespace swaprig::probe
