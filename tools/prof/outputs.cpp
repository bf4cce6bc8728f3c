// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "outputs.hpp"

#include <cubind/profile/outputs.hpp>

#include <algorithm>
#include <cctype>
#include <exception>
#include <map>
#include <system_error>
#include <utility>

#include "spool.hpp"

namespace cubind::prof {

namespace {

using profile::Recording;
using profile::Records;
using profile::Subject;

// Returns a name without characters that a shell or a file system treats in a special way.
std::string file_name(const char* program) {
    std::string name = program;
    for (char& each : name) {
        if (std::isalnum(static_cast<unsigned char>(each)) == 0 && each != '.' && each != '-' && each != '_') each = '_';
    }
    return name.empty() ? "program" : name;
}

std::string label_of(const SpoolHead& head) {
    return std::string(head.program) + " (process " + std::to_string(head.process) + ")";
}

void write_files(const Recording& recording, const std::string& path, const Formats& formats, Written& written) {
    const auto write = [&](bool is_chosen, const char* ending, auto function) {
        if (!is_chosen) return;
        try {
            function(path + ending);
            written.files.push_back(path + ending);
        } catch (const std::system_error& error) {
            written.problems.push_back(error.what());
        }
    };
    write(formats.csv, ".csv", [&](const std::string& file) { profile::write_csv(recording, file); });
    write(formats.json, ".json", [&](const std::string& file) { profile::write_json(recording, file); });
    write(formats.trace, ".trace.json", [&](const std::string& file) { profile::write_chrome_trace(recording, file); });
}

// Says what the records of a process lack. Its notes are also below the tables.
std::vector<std::string> problems(const SpoolContent& content, bool has_table) {
    const SpoolHead& head = content.head;
    std::vector<std::string> all;
    if (!has_table) {
        for (const std::string& each : content.records.notes) all.push_back(label_of(head) + ": " + each);
        if (const std::size_t dropped = content.records.dropped.total(); dropped != 0)
            all.push_back(label_of(head) + ": " + std::to_string(dropped) + " records were dropped");
    }
    if (head.is_complete == 0)
        all.push_back(label_of(head) + " ended without a word, by _exit() or a signal: records of its last 50 ms may be missing");
    if (head.lost != 0) {
        all.push_back(label_of(head) + ": " + std::to_string(head.lost) +
                      " records could not be written: " + std::generic_category().message(head.error));
    }
    return all;
}

std::string tables(const Recording& recording) {
    std::string text;
    const auto add = [&](Subject subject, bool has_records) {
        if (has_records) text += (text.empty() ? "" : "\n") + profile::table(recording, subject);
    };
    add(Subject::kernels, true);
    add(Subject::copies, !recording.copies().empty());
    add(Subject::fills, !recording.fills().empty());
    add(Subject::ranges, !recording.ranges().empty());
    add(Subject::calls, !recording.calls().empty());
    add(Subject::synchronizations, !recording.synchronizations().empty());
    return text;
}

}  // namespace

Written write_outputs(const std::string& spool_folder, const Options& options) {
    const std::string output_folder = options.output.empty() ? "" : options.output + "/";
    Written written;
    const bool has_table = options.formats.table && !options.is_quiet;
    const bool has_calls = options.activities.find("calls") != std::string::npos;  // a table of calls is wanted
    Records all;
    std::map<std::string, unsigned> names;  // a process that executes a program again has several files
    for (const std::string& file : spool_files(spool_folder)) {
        try {
            SpoolContent content = read_spool(file);
            for (std::string& each : problems(content, has_table)) written.problems.push_back(std::move(each));
            std::string name = options.prefix + file_name(content.head.program) + "-" + std::to_string(content.head.process);
            if (const unsigned number = names[name]++; number > 0) name += "-" + std::to_string(number);
            if (options.formats.has_files()) {
                Recording recording(std::move(content.records));
                write_files(recording, output_folder + name, options.formats, written);
                content.records = recording.release();
            }
            if (!has_calls) content.records.calls.clear();  // most of the records
            if (has_table) all.add(std::move(content.records));
            written.has_records = true;
        } catch (const std::exception& error) {
            written.problems.push_back(error.what());
        }
    }
    if (has_table && written.has_records) written.summary = tables(Recording(std::move(all)));
    return written;
}

}  // namespace cubind::prof
