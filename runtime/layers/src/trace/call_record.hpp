// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <cubind/layers/trace.hpp>

#include "values/capture.hpp"

namespace cubind::layers::trace {

/// One call that has ended. Its captured values follow it in memory.
struct CallRecord {
    const reflection::LibraryDescription* library = nullptr;
    const reflection::Function* function = nullptr;
    long long begin = 0;     ///< nanoseconds since the process started
    long long duration = 0;  ///< nanoseconds
    unsigned thread = 0;
    unsigned bytes = 0;  ///< of captured values
};

/// Adds the call as a line in the format, newline included. Lines of Format::chrome end with a comma.
void append_line(std::string& out, const CallRecord& record, const std::byte* captured, Format format);

/// What a file in the format begins and ends with.
std::string head(Format format);
std::string tail(Format format);

}  // namespace cubind::layers::trace
