// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/driver/types.hpp>

#include <string_view>

namespace CUBIND_NAMESPACE::sim {

/// The JIT options of a call. Only options that request outputs have an effect. The program owns the arrays, which must
/// outlive this object.
class JitOptions {
public:
    JitOptions(unsigned count, const driver::CUjit_option* options, void** values)
        : count_(count), options_(options), values_(values) {}

    /// Returns CUDA_ERROR_INVALID_VALUE for unknown options, and for a log buffer without a size or a size without a
    /// log buffer.
    driver::CUresult check() const noexcept;
    /// Writes the requested outputs: the error log, an empty information log, and a time of zero. `problem` is the text
    /// of the error log, which is empty after success.
    void write_outputs(std::string_view problem) const;

private:
    void write_log(driver::CUjit_option buffer, driver::CUjit_option size, std::string_view text) const;
    bool is_pair(driver::CUjit_option buffer, driver::CUjit_option size) const noexcept;
    void** find(driver::CUjit_option option) const noexcept;

    unsigned count_;
    const driver::CUjit_option* options_;
    void** values_;
};

}  // namespace CUBIND_NAMESPACE::sim
