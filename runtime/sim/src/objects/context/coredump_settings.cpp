// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "objects/context/coredump_settings.hpp"

#include <array>
#include <cstring>
#include <limits.h>
#include <unistd.h>

namespace CUBIND_NAMESPACE::sim {

namespace {

constexpr std::size_t text_size = 1024;  // with the NUL

std::string with_host_and_process(const char* prefix) {
    std::array<char, HOST_NAME_MAX + 1> host{};
    (void)::gethostname(host.data(), host.size() - 1);
    return std::string(prefix).append(host.data()).append(".").append(std::to_string(::getpid()));
}

bool is_text(CUcoredumpSettings attribute) {
    return attribute == CU_COREDUMP_FILE || attribute == CU_COREDUMP_PIPE;
}

// Returns 0 for an unknown attribute.
std::size_t size_of(CUcoredumpSettings attribute) {
    if (is_text(attribute)) return text_size;
    if (attribute == CU_COREDUMP_GENERATION_FLAGS) return sizeof(int);
    return attribute >= CU_COREDUMP_ENABLE_ON_EXCEPTION && attribute <= CU_COREDUMP_ENABLE_USER_TRIGGER ? sizeof(bool) : 0;
}

}  // namespace

CoredumpSettings::CoredumpSettings()
    : file_(with_host_and_process("core.cuda.")), pipe_(with_host_and_process("corepipe.cuda.")) {}

CUresult CoredumpSettings::get(CUcoredumpSettings attribute, void* value, std::size_t* size) const {
    const std::size_t expected = size_of(attribute);
    if (expected == 0 || size == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (value == nullptr) {
        *size = expected;
        return CUDA_SUCCESS;
    }
    const std::string& text = attribute == CU_COREDUMP_FILE ? file_ : pipe_;
    if (*size < (is_text(attribute) ? text.size() + 1 : expected)) return CUDA_ERROR_INVALID_VALUE;
    const auto write = [value](const auto& from) { std::memcpy(value, &from, sizeof from); };
    switch (attribute) {
        case CU_COREDUMP_ENABLE_ON_EXCEPTION:
            write(enable_on_exception_);
            break;
        case CU_COREDUMP_TRIGGER_HOST:
            write((flags_ & CU_COREDUMP_SKIP_ABORT) == 0);
            break;
        case CU_COREDUMP_LIGHTWEIGHT:
            write((flags_ & CU_COREDUMP_LIGHTWEIGHT_FLAGS) == CU_COREDUMP_LIGHTWEIGHT_FLAGS);
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

CUresult CoredumpSettings::set_text(CUcoredumpSettings attribute, const char* text, std::size_t size) {
    const std::size_t length = ::strnlen(text, size);
    if (length >= text_size) return CUDA_ERROR_INVALID_VALUE;
    // The pipe exists while the trigger is enabled.
    if (attribute == CU_COREDUMP_PIPE && enable_user_trigger_) return CUDA_ERROR_NOT_PERMITTED;
    (attribute == CU_COREDUMP_FILE ? file_ : pipe_).assign(text, length);
    return CUDA_SUCCESS;
}

CUresult CoredumpSettings::set(CUcoredumpSettings attribute, const void* value, std::size_t* size) {
    const std::size_t expected = size_of(attribute);
    if (expected == 0 || size == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (value == nullptr) {
        *size = expected;
        return CUDA_SUCCESS;
    }
    if (is_text(attribute)) return set_text(attribute, static_cast<const char*>(value), *size);
    if (*size < expected) return CUDA_ERROR_INVALID_VALUE;
    if (attribute == CU_COREDUMP_GENERATION_FLAGS) {
        std::memcpy(&flags_, value, sizeof flags_);
        return CUDA_SUCCESS;
    }
    const bool is_set = *static_cast<const unsigned char*>(value) != 0;
    const auto change_flags = [this](bool add, int flags) { flags_ = add ? flags_ | flags : flags_ & ~flags; };
    if (attribute == CU_COREDUMP_ENABLE_ON_EXCEPTION) enable_on_exception_ = is_set;
    if (attribute == CU_COREDUMP_ENABLE_USER_TRIGGER) enable_user_trigger_ = is_set;
    if (attribute == CU_COREDUMP_TRIGGER_HOST) change_flags(!is_set, CU_COREDUMP_SKIP_ABORT);
    if (attribute == CU_COREDUMP_LIGHTWEIGHT) change_flags(is_set, CU_COREDUMP_LIGHTWEIGHT_FLAGS);
    return CUDA_SUCCESS;
}

void CoredumpSettings::add_context_flags(unsigned context_flags) {
    const bool has_trigger = (context_flags & CU_CTX_USER_COREDUMP_ENABLE) != 0;
    enable_user_trigger_ = enable_user_trigger_ || has_trigger;
    enable_on_exception_ = enable_on_exception_ || has_trigger || (context_flags & CU_CTX_COREDUMP_ENABLE) != 0;
}

CoredumpSettings GlobalCoredumpSettings::for_context(unsigned context_flags) {
    const std::lock_guard lock(mutex);
    bool enable = true;
    std::size_t size = sizeof enable;
    if ((context_flags & CU_CTX_USER_COREDUMP_ENABLE) != 0) settings.set(CU_COREDUMP_ENABLE_USER_TRIGGER, &enable, &size);
    CoredumpSettings copy = settings;
    copy.add_context_flags(context_flags);
    return copy;
}

}  // namespace CUBIND_NAMESPACE::sim
