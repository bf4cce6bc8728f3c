// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>

/// One use of each target of layer 3 from the creation of its objects to their end, as programs use it, with a simulated driver
/// and stand-ins for the libraries. The tests repeat it in plugins that are unloaded, with too little memory, with the oldest
/// driver, and without any. Each function throws what the target throws, and leaves nothing then.
namespace cubind::testing {

void use_file(const std::string& folder);
void use_math_blas(const std::string& folder);
void use_math_contraction(const std::string& folder);
void use_math_fft(const std::string& folder);
void use_math_random(const std::string& folder);
void use_math_solver(const std::string& folder);
void use_math_sparse(const std::string& folder);
void use_nccl(const std::string& folder);
void use_nvshmem(const std::string& folder);
void use_nvtx(const std::string& folder);
void use_profile(const std::string& folder);
void use_sweep(const std::string& folder);

/// Throws std::logic_error unless `is_right`.
inline void require(bool is_right, const char* what) {
    if (!is_right) throw std::logic_error(what);
}

}  // namespace cubind::testing
