// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include <cubind/driver/types.hpp>

namespace cubind::sim {

using namespace driver;

/// The options of a compilation, of which those that ask for an answer matter here. They are the program's until the call ends.
class JitOptions {
public:
    JitOptions(unsigned count, const CUjit_option* options, void** values)
        : count_(count), options_(options), values_(values) {}

    /// CUDA_ERROR_INVALID_VALUE for what are no options, and for a log's buffer without its size or the other way round.
    CUresult check() const noexcept;
    /// Tells the program what it asks for: an error log, which is empty after success, an empty information log, and the time.
    void answer(std::string_view problem) const;

private:
    void write_log(CUjit_option buffer, CUjit_option size, std::string_view text) const;
    bool is_pair(CUjit_option buffer, CUjit_option size) const noexcept;
    void** find(CUjit_option option) const noexcept;

    unsigned count_;
    const CUjit_option* options_;
    void** values_;
};

}  // namespace cubind::sim
