// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// The functions of NVRTC that the audit library replaces. A program that asks for machine code of sm_90 gets PTX for compute_90.
#include <cubind/nvrtc/types.hpp>

#include <iterator>
#include <mutex>
#include <new>
#include <set>

#include "compilers/replacements/compiler.hpp"
#include "compilers/replacements/options.hpp"

namespace CUBIND_NAMESPACE::sim {

namespace {

using namespace nvrtc;

/// The programs for which machine code was requested.
class Requests {
public:
    void add(nvrtcProgram program) {
        const std::lock_guard lock(mutex_);
        programs_.insert(program);
    }
    void remove(nvrtcProgram program) noexcept {
        const std::lock_guard lock(mutex_);
        programs_.erase(program);
    }
    bool has(nvrtcProgram program) const {
        const std::lock_guard lock(mutex_);
        return programs_.contains(program);
    }

private:
    mutable std::mutex mutex_;
    std::set<nvrtcProgram> programs_;
};

Requests& requests() {
    static auto& all = *new Requests;  // programs compile until the process has ended
    return all;
}

template <int compiler>
nvrtcResult compile(nvrtcProgram program, int count, const char* const* options) noexcept {
    const auto real = compilers[compiler].function<nvrtcResult(nvrtcProgram, int, const char* const*)>("nvrtcCompileProgram");
    if (real == nullptr) return NVRTC_ERROR_INTERNAL_ERROR;
    requests().remove(program);  // the program may have been compiled before, with other options
    if (count <= 0 || options == nullptr) return real(program, count, options);
    try {
        std::vector<std::string> texts;
        for (int i = 0; i < count; ++i) {
            if (options[i] == nullptr) return real(program, count, options);
            texts.emplace_back(options[i]);
        }
        const PtxOptions changed = to_ptx_options(texts);
        std::vector<const char*> names;
        for (const std::string& option : changed.options) names.push_back(option.c_str());
        if (changed.asked_for_machine_code) requests().add(program);
        return real(program, count, names.data());
    } catch (const std::bad_alloc&) {
        return NVRTC_ERROR_OUT_OF_MEMORY;
    }
}

template <int compiler>
nvrtcResult get_size(nvrtcProgram program, std::size_t* size) noexcept {
    const char* const name = requests().has(program) ? "nvrtcGetPTXSize" : "nvrtcGetCUBINSize";
    const auto real = compilers[compiler].function<nvrtcResult(nvrtcProgram, std::size_t*)>(name);
    return real != nullptr ? real(program, size) : NVRTC_ERROR_INTERNAL_ERROR;
}

template <int compiler>
nvrtcResult get(nvrtcProgram program, char* code) noexcept {
    const char* const name = requests().has(program) ? "nvrtcGetPTX" : "nvrtcGetCUBIN";
    const auto real = compilers[compiler].function<nvrtcResult(nvrtcProgram, char*)>(name);
    return real != nullptr ? real(program, code) : NVRTC_ERROR_INTERNAL_ERROR;
}

template <int compiler>
nvrtcResult destroy(nvrtcProgram* program) noexcept {
    const auto real = compilers[compiler].function<nvrtcResult(nvrtcProgram*)>("nvrtcDestroyProgram");
    if (real == nullptr) return NVRTC_ERROR_INTERNAL_ERROR;
    if (program != nullptr && *program != nullptr) requests().remove(*program);
    return real(program);
}

template <int compiler>
void* find_nvrtc(std::string_view name) noexcept {
    if (name == "nvrtcCompileProgram") return reinterpret_cast<void*>(&compile<compiler>);
    if (name == "nvrtcGetCUBINSize") return reinterpret_cast<void*>(&get_size<compiler>);
    if (name == "nvrtcGetCUBIN") return reinterpret_cast<void*>(&get<compiler>);
    if (name == "nvrtcDestroyProgram") return reinterpret_cast<void*>(&destroy<compiler>);
    return nullptr;
}

}  // namespace

void* find_nvrtc_replacement(int compiler, std::string_view name) noexcept {
    static constexpr decltype(&find_nvrtc<0>) finders[] = {find_nvrtc<0>, find_nvrtc<1>, find_nvrtc<2>, find_nvrtc<3>};
    static_assert(std::size(finders) == max_compilers);
    return finders[compiler](name);
}

}  // namespace CUBIND_NAMESPACE::sim
