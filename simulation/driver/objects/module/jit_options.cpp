// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "objects/module/jit_options.hpp"

#include <algorithm>
#include <cstdint>

namespace CUBIND_NAMESPACE::sim {

using namespace driver;

CUresult JitOptions::check() const noexcept {
    if (count_ == 0) return CUDA_SUCCESS;
    if (options_ == nullptr || values_ == nullptr) return CUDA_ERROR_INVALID_VALUE;
    const auto is_option = [](CUjit_option option) { return option < CU_JIT_NUM_OPTIONS; };
    const bool has_pairs = is_pair(CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES) &&
                           is_pair(CU_JIT_INFO_LOG_BUFFER, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES);
    return has_pairs && std::all_of(options_, options_ + count_, is_option) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

void JitOptions::write_outputs(std::string_view problem) const {
    write_log(CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, problem);
    write_log(CU_JIT_INFO_LOG_BUFFER, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES, {});
    if (void** const time = find(CU_JIT_WALL_TIME)) *time = nullptr;  // 0 as a float
}

// The size option holds the size of the buffer, and receives the size of the log. The log ends with NUL and is
// truncated if necessary.
void JitOptions::write_log(CUjit_option buffer, CUjit_option size, std::string_view text) const {
    void** const target = find(buffer);
    void** const bytes = find(size);
    if (target == nullptr || *target == nullptr || bytes == nullptr) return;
    const std::size_t capacity = static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(*bytes));
    if (capacity == 0) return;
    const std::size_t length = std::min(text.size(), capacity - 1);
    text.copy(static_cast<char*>(*target), length);
    static_cast<char*>(*target)[length] = '\0';
    *bytes = reinterpret_cast<void*>(std::min(text.size(), capacity));
}

bool JitOptions::is_pair(CUjit_option buffer, CUjit_option size) const noexcept {
    return (find(buffer) != nullptr) == (find(size) != nullptr);
}

void** JitOptions::find(CUjit_option option) const noexcept {
    const CUjit_option* const found = std::find(options_, options_ + count_, option);
    return found != options_ + count_ ? values_ + (found - options_) : nullptr;
}

}  // namespace CUBIND_NAMESPACE::sim
