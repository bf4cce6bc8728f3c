// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Definitions for the statements on documentation pages. assert() is enabled in every build type.
#undef NDEBUG
#include <cassert>

#define assert_throws(exception, ...)       \
    {                                       \
        bool has_thrown = false;            \
        try {                               \
            static_cast<void>(__VA_ARGS__); \
        } catch (const exception&) {        \
            has_thrown = true;              \
        }                                   \
        assert(has_thrown);                 \
    }

/// Returns the first element of a buffer, after the work of the stream.
template <class Stream, class Buffer>
float first_value(const Stream& stream, const Buffer& buffer) {
    float value = -1;
    copy(stream, value, buffer.first(1));
    stream.synchronize();
    return value;
}
