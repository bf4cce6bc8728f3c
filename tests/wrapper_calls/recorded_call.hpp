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
    const char* roles = "";
    std::vector<Bytes> passed;   ///< the wrapper's arguments
    std::vector<Bytes> written;  ///< values that the C function writes through the pointers of the wrapper, in C order
    std::vector<std::size_t> alignments;
    Bytes result;  ///< the result of the C function

    // Recorded during the call.
    int calls = 0;
    std::vector<Bytes> arrived;           ///< the C function's arguments
    std::vector<const char*> unwritable;  ///< why a pointer of the wrapper cannot be written through; null if it can
    std::vector<Bytes> starts;            ///< bytes that it points to before they are written
    std::vector<Bytes> returned;          ///< the status or plain result, then the values

    // Called on the side of the wrapper.
    void take(std::size_t index, void* argument, std::size_t size) const;
    void add_returned(const void* object, std::size_t size);

    // Called on the side of the C function.
    void add_arrived(const void* argument, std::size_t size);
    void write_outputs();
    void take_result(void* output, std::size_t size) const;
};

}  // namespace cubind::testing
