// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/layers/trace.hpp>

#include <string>

#include "values/capture.hpp"

namespace CUBIND_NAMESPACE::layers::trace {

/// One completed call. Its captured values follow it in memory.
struct CallRecord {
    const reflection::LibraryDescription* library = nullptr;  ///< library of `function`
    const reflection::Function* function = nullptr;           ///< called function
    long long begin = 0;                                      ///< nanoseconds, as in time_since_start()
    long long duration = 0;                                   ///< nanoseconds
    unsigned thread = 0;                                      ///< number of the thread
    unsigned bytes = 0;                                       ///< size of the captured values
};

/// Appends the call as a line in the format, including the newline. Lines of Format::chrome end with a comma.
void append_line(std::string& out, const CallRecord& record, const std::byte* captured, Format format);

/// Returns the text before the first line of a file in the format.
std::string head(Format format);
/// Returns the text after the last line of a file in the format.
std::string tail(Format format);

}  // namespace CUBIND_NAMESPACE::layers::trace
