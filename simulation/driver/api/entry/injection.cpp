// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Part of libcuda.so.1 only: loads the library of CUDA_INJECTION64_PATH, as NVIDIA's driver does when a program initializes it.
#include <atomic>
#include <string>

#include "platform/dynamic_library.hpp"
#include "platform/environment.hpp"
#include "support/report.hpp"

namespace CUBIND_NAMESPACE::sim {

namespace {

constexpr const char* variable = "CUDA_INJECTION64_PATH";

// A profiler that does not start leaves a program without profile and without a reason, so the reason is reported.
void report_missing(const char* path, const char* reason) {
    const std::string text = std::string(path) + ": " + reason + ". The program runs without it";
    report("", variable, "not used", text.c_str());
}

void load(const char* path) {
    void* const library = cubind::detail::open_library(path);
    if (library == nullptr) {
        const char* const reason = cubind::detail::loader_error();
        return report_missing(path, reason != nullptr ? reason : "the loader gives no reason");
    }
    // It remains loaded, because its threads and callbacks do.
    void* const function = cubind::detail::find_symbol(library, "InitializeInjection");
    if (function == nullptr) return report_missing(path, "it has no function InitializeInjection");
    (void)reinterpret_cast<int (*)()>(function)();
}

}  // namespace

/// Loads the library and calls its InitializeInjection(), once in a process. The environment of a setuid program is not read.
void load_injected_library() noexcept {
    static std::atomic_flag is_loaded;
    if (is_loaded.test_and_set()) return;  // also within InitializeInjection(), which may call cuInit()
    const char* const path = cubind::detail::environment_variable(variable);
    if (path == nullptr || *path == '\0') return;
    try {
        load(path);
    } catch (...) {  // no memory for the text, or an exception of the library, which no driver could handle
    }
}

}  // namespace CUBIND_NAMESPACE::sim
