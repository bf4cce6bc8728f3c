// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

namespace cubind::testing {

using Bytes = std::vector<unsigned char>;

/// One call of a wrapper and of the C function that it calls, with all inputs and outputs as bytes.
struct RecordedCall {
    /// The call that is in progress; the C function records to it.
    static RecordedCall* current;

    // Chosen by the test.
    const char* roles = "";               ///< one letter for each parameter, see function.hpp
    std::vector<Bytes> passed;            ///< the wrapper's arguments
    std::vector<Bytes> written;           ///< values that the C function writes through the pointers of the wrapper, in C order
    std::vector<std::size_t> alignments;  ///< required alignment of each pointer
    Bytes result;                         ///< the result of the C function

    // Recorded during the call.
    int calls = 0;                        ///< number of calls of the C function
    std::vector<Bytes> arrived;           ///< the C function's arguments
    std::vector<const char*> unwritable;  ///< for each pointer of the wrapper, why it is not writable; null if it is
    std::vector<Bytes> starts;            ///< for each pointer of the wrapper, its target before the C function writes
    std::vector<Bytes> returned;          ///< the status or plain result, then the values

    // Called on the side of the wrapper.
    /// Copies the value of argument `index` of the wrapper to `argument`.
    void take(std::size_t index, void* argument, std::size_t size) const;
    /// Appends a value that the wrapper returned.
    void add_returned(const void* object, std::size_t size);

    // Called on the side of the C function.
    /// Appends an argument that the C function received.
    void add_arrived(const void* argument, std::size_t size);
    /// Writes `written` through the pointers that the C function received.
    void write_outputs();
    /// Copies `result` to the return value of the C function.
    void take_result(void* output, std::size_t size) const;
};

}  // namespace cubind::testing
