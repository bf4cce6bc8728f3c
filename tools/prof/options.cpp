// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "options.hpp"

#include <getopt.h>
#include <string_view>

namespace cubind::prof {

const char* const usage =
    "usage: cubind-prof [OPTION...] PROGRAM [ARGUMENT...]\n"
    "       cubind-prof [OPTION...] --recover FOLDER\n"
    "\n"
    "Runs PROGRAM, records what it does with CUDA, and prints where the time went. The program needs no change. Processes that "
    "it\n"
    "starts are recorded, too.\n"
    "\n"
    "  -f, --format LIST      table, csv, json, trace, or several of them with commas (table). The table is printed on the "
    "standard\n"
    "                         error stream. The other formats are files, for each process that uses CUDA: PROGRAM-NUMBER.csv, "
    ".json\n"
    "                         and .trace.json, which https://ui.perfetto.dev opens\n"
    "  -o, --output FOLDER    folder of the files (the working directory); it is created if its parent exists\n"
    "  -p, --prefix TEXT      begin of the names of the files\n"
    "  -a, --activities LIST  kernels, copies, fills, memory, calls, waits, ranges (NVTX), or several of them with commas\n"
    "                         (kernels,copies,fills,ranges; with files calls, too)\n"
    "      --memory SIZE      memory for records in each process, such as 64M or 1G (256M, at least 8M); what does not fit is "
    "dropped\n"
    "                         and counted\n"
    "      --no-follow        records the process of PROGRAM only, and does not wait for those that it starts\n"
    "  -q, --quiet            prints problems only\n"
    "      --recover FOLDER   writes the result of records that remained in FOLDER because cubind-prof was killed, or could not "
    "write\n"
    "      --version          prints the version\n"
    "      --help             prints this text\n"
    "\n"
    "The exit status is that of the program, and 128 plus the number of a signal that ended it; 2 for a wrong option, 125 if "
    "the\n"
    "program succeeded and the result could not be written, 126 or 127 if the program cannot be started.\n";

namespace {

// Returns the option that getopt rejected. A long option is the word before optind, a short one is in optopt.
std::string rejected_option(char** arguments) {
    const std::string word = arguments[optind - 1];
    return word.starts_with("--") ? word : std::string("-") + static_cast<char>(optopt);
}

// Returns the first word that is no format, or "".
std::string read_formats(std::string_view list, Formats& formats) {
    formats = {};
    for (;;) {
        const std::size_t end = list.find(',');
        const std::string_view word = list.substr(0, end);
        if (word == "table")
            formats.table = true;
        else if (word == "csv")
            formats.csv = true;
        else if (word == "json")
            formats.json = true;
        else if (word == "trace")
            formats.trace = true;
        else
            return word.empty() ? "(empty)" : std::string(word);
        if (end == std::string_view::npos) return {};
        list.remove_prefix(end + 1);
    }
}

void apply(int option, const std::string& value, Options& options) {
    std::string& problem = options.problem;
    profile::RecorderOptions recorder;
    std::size_t size = 0;
    switch (option) {
        case 'f':
            if (const std::string word = read_formats(value, options.formats); !word.empty())
                problem = "--format requires table, csv, json or trace, not \"" + word + "\"";
            break;
        case 'o':
            options.output = value;
            if (value.empty()) problem = "--output requires a folder";
            break;
        case 'p':
            options.prefix = value;
            if (value.find('/') != std::string::npos) problem = "--prefix requires a text without '/', not \"" + value + "\"";
            break;
        case 'a':
            options.activities = value;
            if (const std::string word = read_activities(value, recorder); !word.empty())
                problem = "--activities requires " + std::string(all_activities) + ", not \"" + word + "\"";
            break;
        case 'm':
            options.memory = value;
            if (!read_size(value, size) || size < min_memory)
                problem = "--memory requires a size of at least 8M, such as 64M or 1G, not \"" + value + "\"";
            break;
        case 'r':
            options.recover = value;
            if (value.empty()) problem = "--recover requires a folder";
            break;
        case 'n':
            options.follows = false;
            break;
        case 'q':
            options.is_quiet = true;
            break;
        case 'v':
            options.version = true;
            break;
        default:
            options.help = true;
    }
}

}  // namespace

Options parse_options(int count, char** arguments) {
    constexpr option known[] = {
        {"format", required_argument, nullptr, 'f'},
        {"output", required_argument, nullptr, 'o'},
        {"prefix", required_argument, nullptr, 'p'},
        {"activities", required_argument, nullptr, 'a'},
        {"memory", required_argument, nullptr, 'm'},
        {"no-follow", no_argument, nullptr, 'n'},
        {"quiet", no_argument, nullptr, 'q'},
        {"recover", required_argument, nullptr, 'r'},
        {"version", no_argument, nullptr, 'v'},
        {"help", no_argument, nullptr, 'h'},
        {nullptr, 0, nullptr, 0},
    };
    Options options;
    opterr = 0;
    // '+' ends the options at the program, because those that follow belong to it.
    for (int chosen;
         options.problem.empty() && (chosen = ::getopt_long(count, arguments, "+:f:o:p:a:qh", known, nullptr)) != -1;) {
        if (chosen == ':')
            options.problem = rejected_option(arguments) + " requires a value";
        else if (chosen == '?')
            options.problem = "there is no option " + rejected_option(arguments);
        else
            apply(chosen, optarg != nullptr ? optarg : "", options);
    }
    options.program = optind;
    if (!options.problem.empty() || options.help || options.version) return options;
    if (options.recover.empty() && optind >= count) options.problem = "no program is given";
    if (!options.recover.empty() && optind < count)
        options.problem = std::string("--recover runs no program, but there is \"") + arguments[optind] + "\"";
    return options;
}

}  // namespace cubind::prof
