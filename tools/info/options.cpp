// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "options.hpp"

#include <getopt.h>

namespace cubind::info {

const char* const usage =
    "usage: cubind-info [--json] [--all]\n"
    "\n"
    "Says which CUDA libraries this machine has, what they lack of what cubind binds, and what will bite.\n"
    "\n"
    "  --json     the same facts as one JSON object, for programs\n"
    "  --all      every function that is lacking, and every place where a missing library was looked for\n"
    "  --version  version of cubind and the CUDA release of its bindings\n"
    "  --help     this text\n"
    "\n"
    "Exit status: 0 if the driver was found and nothing will bite, 1 if something will, 2 for a wrong command line.\n";

namespace {

// A long option is the word that has just been passed; a short one may stand among others, but getopt keeps it.
std::string refused_word(char** arguments) {
    const std::string word = arguments[optind - 1];
    return word.starts_with("--") ? word : std::string("-") + static_cast<char>(optopt);
}

}  // namespace

Options parse_options(int count, char** arguments) {
    const option known[] = {
        {"json", no_argument, nullptr, 'j'}, {"all", no_argument, nullptr, 'a'},     {"help", no_argument, nullptr, 'h'},
        {"version", no_argument, nullptr, 'v'}, {nullptr, 0, nullptr, 0},
    };
    Options options;
    opterr = 0;  // the messages are ours
    int chosen = 0;
    while (options.problem.empty() && (chosen = getopt_long(count, arguments, "h", known, nullptr)) != -1) {
        switch (chosen) {
            case 'j': options.json = true; break;
            case 'a': options.all = true; break;
            case 'h': options.help = true; break;
            case 'v': options.version = true; break;
            default: options.problem = "there is no option " + refused_word(arguments);
        }
    }
    if (options.problem.empty() && optind < count) {
        options.problem = std::string("takes no argument, and got \"") + arguments[optind] + "\"";
    }
    return options;
}

}  // namespace cubind::info
