// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "options.hpp"

#include <getopt.h>

namespace cubind::info {

const char* const usage =
    "usage: cubind-info [--json] [--all]\n"
    "       cubind-info --find NAME\n"
    "\n"
    "Prints which CUDA libraries this machine has, which bound functions they lack, and which problems\n"
    "they will cause.\n"
    "\n"
    "  --json     print the facts as one JSON object, for programs\n"
    "  --all      print every lacking function and every place that was searched for a missing library\n"
    "  --find     print where the library, headers or program NAME is, such as cublas or nvcc, and every place\n"
    "             that was searched before, and load nothing. The exit status is 1 if it was not\n"
    "             found; of several things with this name, the library counts\n"
    "  --version  print the version of cubind and the CUDA release of its bindings\n"
    "  --help     print this text\n"
    "\n"
    "Exit status: 0 if the driver was found and there are no problems, 1 if there are problems, 2 if the command\n"
    "line is wrong or the output cannot be written.\n";

namespace {

// Returns the option that getopt rejected. A long option is the word before optind. A short option, which may be in a group, is
// in optopt.
std::string rejected_option(char** arguments) {
    const std::string word = arguments[optind - 1];
    return word.starts_with("--") ? word : std::string("-") + static_cast<char>(optopt);
}

}  // namespace

Options parse_options(int count, char** arguments) {
    const option known[] = {
        {"json", no_argument, nullptr, 'j'},    {"all", no_argument, nullptr, 'a'},        {"help", no_argument, nullptr, 'h'},
        {"version", no_argument, nullptr, 'v'}, {"find", required_argument, nullptr, 'f'}, {nullptr, 0, nullptr, 0},
    };
    Options options;
    opterr = 0;  // parse_options() reports errors itself
    int chosen = 0;
    while (options.problem.empty() && (chosen = getopt_long(count, arguments, ":h", known, nullptr)) != -1) {
        switch (chosen) {
            case 'j':
                options.json = true;
                break;
            case 'a':
                options.all = true;
                break;
            case 'h':
                options.help = true;
                break;
            case 'v':
                options.version = true;
                break;
            case 'f':
                options.find = optarg;
                if (options.find.empty()) options.problem = "--find needs a name";
                break;
            case ':':
                options.problem = rejected_option(arguments) + " needs a name";
                break;
            default:
                options.problem = "there is no option " + rejected_option(arguments);
        }
    }
    if (options.problem.empty() && optind < count) {
        options.problem = std::string("unexpected argument \"") + arguments[optind] + "\"";
    }
    return options;
}

}  // namespace cubind::info
