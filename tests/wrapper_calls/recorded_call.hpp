// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

namespace cubind::testing {

using Bytes = std::vector<unsigned char>;

/// One call of a wrapper and of the C function below it: what goes in and what comes out, as bytes.
struct RecordedCall {
    /// The call that is under way, for the C function.
    static RecordedCall* current;

    // What the test decides.
    const char* roles = "";
    std::vector<Bytes> passed;   ///< the wrapper's arguments
    std::vector<Bytes> written;  ///< what the C function writes to the pointers that the wrapper makes, in C order
    std::vector<std::size_t> alignments;
    Bytes answer;  ///< what the C function returns

    // What happens.
    int calls = 0;
    std::vector<Bytes> arrived;           ///< the C function's arguments
    std::vector<const char*> unwritable;  ///< why a pointer that the wrapper makes cannot be one; null where it can
    std::vector<Bytes> starts;            ///< what it points to before it is written
    std::vector<Bytes> returned;          ///< status or plain answer, then the values

    // For the side of the wrapper.
    void take(std::size_t index, void* argument, std::size_t size) const;
    void give_back(const void* object, std::size_t size);

    // For the side of the C function.
    void arrive(const void* argument, std::size_t size);
    void write_outputs();
    void take_answer(void* answer, std::size_t size) const;
};

}  // namespace cubind::testing
