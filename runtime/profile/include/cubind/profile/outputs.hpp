// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/profile/recording.hpp>

#include <cstddef>
#include <string>

/// @file
/// Recordings as text. Texts are UTF-8; bytes of names that are not are written as their Latin-1 characters. Numbers have a
/// decimal point in every locale. The functions throw std::bad_alloc. Those that write a file replace it at once: a reader finds
/// the old content or the new one, also if the disk is full. They throw std::system_error with the path and the reason, and then
/// the old content remains.
namespace CUBIND_NAMESPACE::profile {

/// How a table looks.
struct TableOptions {
    std::size_t max_rows = 40;    ///< rows; the last line says how many are missing
    std::size_t max_width = 120;  ///< characters of a line; names are shortened at the end to fit, to 20 at least
};

/// Returns the statistics of Recording::summary() as a table with aligned columns: part, total, count, mean, median, min, max,
/// and the name. It says how many records were dropped, and has the notes. Without records it has one line.
[[nodiscard]] CUBIND_EXPORT std::string table(const Recording& recording, Subject subject = Subject::kernels,
                                              const TableOptions& options = {});
/// Returns the same statistics as comma-separated values with a head line. Times are nanoseconds.
[[nodiscard]] CUBIND_EXPORT std::string summary_csv(const Recording& recording, Subject subject = Subject::kernels);
/// Returns the records of a subject as comma-separated values, a line each, with a head line. Times are nanoseconds since the
/// start of the recording. Texts are in quotes where necessary (RFC 4180), and lines end with a newline.
[[nodiscard]] CUBIND_EXPORT std::string csv(const Recording& recording, Subject subject = Subject::kernels);
/// Returns all records as one JSON object with a list of each kind. Times are nanoseconds since the start of the recording.
[[nodiscard]] CUBIND_EXPORT std::string json(const Recording& recording);
/// Returns the recording in the format of chrome://tracing, which Perfetto (https://ui.perfetto.dev) opens: a row for each thread
/// with its ranges and calls, a row for each stream with its work, an arrow from each call to its work, and a curve of the
/// allocated memory if memory operations were recorded.
[[nodiscard]] CUBIND_EXPORT std::string chrome_trace(const Recording& recording);

/// Writes csv() to a file.
CUBIND_EXPORT void write_csv(const Recording& recording, const std::string& path, Subject subject = Subject::kernels);
/// Writes json() to a file.
CUBIND_EXPORT void write_json(const Recording& recording, const std::string& path);
/// Writes chrome_trace() to a file.
CUBIND_EXPORT void write_chrome_trace(const Recording& recording, const std::string& path);

}  // namespace CUBIND_NAMESPACE::profile
