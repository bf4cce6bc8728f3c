// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "objects/context/coredump_settings.hpp"

#include <cstring>

namespace CUBIND_NAMESPACE::sim {

using namespace driver;

namespace {

constexpr std::size_t text_size = 1024;  // with the NUL

bool is_text(CUcoredumpSettings attribute) {
    return attribute == CU_COREDUMP_FILE || attribute == CU_COREDUMP_PIPE;
}

// Returns 0 for an unknown attribute.
std::size_t size_of(CUcoredumpSettings attribute) {
    if (is_text(attribute)) return text_size;
    if (attribute == CU_COREDUMP_GENERATION_FLAGS) return sizeof(int);
    return attribute >= CU_COREDUMP_ENABLE_ON_EXCEPTION && attribute <= CU_COREDUMP_ENABLE_USER_TRIGGER ? sizeof(bool) : 0;
}

// The flags that CU_COREDUMP_LIGHTWEIGHT stands for. Releases have added some.
int lightweight_flags(int release) {
    constexpr int first_release_with_constant_banks = 12060, first_release_with_tensor_memory = 13050;
    int flags = CU_COREDUMP_LIGHTWEIGHT_FLAGS;
    if (release < first_release_with_tensor_memory) flags &= ~CU_COREDUMP_SKIP_TENSOR_MEMORY;
    if (release < first_release_with_constant_banks) flags &= ~CU_COREDUMP_SKIP_CONSTBANK_MEMORY;
    return flags;
}

}  // namespace

CoredumpSettings::CoredumpSettings() = default;

CUresult CoredumpSettings::get(CUcoredumpSettings attribute, void* value, std::size_t* size, int release) const {
    const std::size_t expected = size_of(attribute);
    if (expected == 0 || size == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (value == nullptr) {
        *size = expected;
        return CUDA_SUCCESS;
    }
    const std::string& text = attribute == CU_COREDUMP_FILE ? file_ : pipe_;
    if (is_text(attribute) ? *size <= text.size() : *size != expected) return CUDA_ERROR_INVALID_VALUE;
    const auto write = [value](const auto& from) { std::memcpy(value, &from, sizeof from); };
    switch (attribute) {
        case CU_COREDUMP_ENABLE_ON_EXCEPTION:
            write(enable_on_exception_);
            break;
        case CU_COREDUMP_TRIGGER_HOST:
            write((flags_ & CU_COREDUMP_SKIP_ABORT) == 0);
            break;
        case CU_COREDUMP_LIGHTWEIGHT:
            write((flags_ & lightweight_flags(release)) == lightweight_flags(release));
            break;
        case CU_COREDUMP_ENABLE_USER_TRIGGER:
            write(enable_user_trigger_);
            break;
        case CU_COREDUMP_GENERATION_FLAGS:
            write(flags_);
            break;
        default:
            std::memcpy(value, text.c_str(), text.size() + 1);
    }
    return CUDA_SUCCESS;
}

CUresult CoredumpSettings::set_text(CUcoredumpSettings attribute, const char* text) {
    // Like a GPU's driver, this reads to the NUL and ignores the size that the caller states.
    const std::size_t length = ::strnlen(text, text_size);
    if (length >= text_size) return CUDA_ERROR_INVALID_VALUE;
    // The pipe exists while the trigger is enabled.
    if (attribute == CU_COREDUMP_PIPE && enable_user_trigger_) return CUDA_ERROR_NOT_PERMITTED;
    (attribute == CU_COREDUMP_FILE ? file_ : pipe_).assign(text, length);
    return CUDA_SUCCESS;
}

CUresult CoredumpSettings::set(CUcoredumpSettings attribute, const void* value, std::size_t* size, int release) {
    const std::size_t expected = size_of(attribute);
    if (expected == 0 || size == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (value == nullptr) {
        *size = expected;
        return CUDA_SUCCESS;
    }
    if (is_text(attribute)) return set_text(attribute, static_cast<const char*>(value));
    if (*size != expected) return CUDA_ERROR_INVALID_VALUE;
    if (attribute == CU_COREDUMP_GENERATION_FLAGS) {
        std::memcpy(&flags_, value, sizeof flags_);
        return CUDA_SUCCESS;
    }
    const bool is_set = *static_cast<const unsigned char*>(value) != 0;
    const auto change_flags = [this](bool add, int flags) { flags_ = add ? flags_ | flags : flags_ & ~flags; };
    if (attribute == CU_COREDUMP_ENABLE_ON_EXCEPTION) enable_on_exception_ = is_set;
    if (attribute == CU_COREDUMP_ENABLE_USER_TRIGGER) enable_user_trigger_ = is_set;
    if (attribute == CU_COREDUMP_TRIGGER_HOST) change_flags(!is_set, CU_COREDUMP_SKIP_ABORT);
    if (attribute == CU_COREDUMP_LIGHTWEIGHT) change_flags(is_set, lightweight_flags(release));
    return CUDA_SUCCESS;
}

void CoredumpSettings::add_context_flags(unsigned context_flags) {
    constexpr unsigned enabling = CU_CTX_COREDUMP_ENABLE | CU_CTX_USER_COREDUMP_ENABLE;
    enable_on_exception_ = enable_on_exception_ || (context_flags & enabling) != 0;
}

CoredumpSettings GlobalCoredumpSettings::for_context(unsigned context_flags) {
    const std::lock_guard lock(mutex);
    if ((context_flags & CU_CTX_USER_COREDUMP_ENABLE) != 0) settings.enable_user_trigger();
    CoredumpSettings copy = settings;
    copy.add_context_flags(context_flags);
    return copy;
}

}  // namespace CUBIND_NAMESPACE::sim
