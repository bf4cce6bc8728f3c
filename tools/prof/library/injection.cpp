// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// libcubind_prof.so: what the CUDA driver loads into a program when the program initializes it, because cubind-prof has set
// CUDA_INJECTION64_PATH, and what NVTX loads at the first range, because of NVTX_INJECTION64_PATH.
#include <cubind/cupti/loading.hpp>
#include <cubind/library.hpp>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>

#include "library/session.hpp"
#include "platform/dynamic_library.hpp"
#include "platform/environment.hpp"
#include "platform/file.hpp"
#include "platform/process.hpp"
#include "settings.hpp"

namespace {

using cubind::detail::environment_variable;

cubind::prof::Session* session = nullptr;

// Returns whether NVTX of the program was told to load this library.
bool is_tool_of_nvtx() {
    const char* const tool = environment_variable(cubind::prof::nvtx_variable);
    const char* const self = cubind::detail::file_of_address(&session);
    cubind::detail::FileStatus left, right;
    return tool != nullptr && self != nullptr && cubind::detail::status_of_path(tool, left) == 0 &&
           cubind::detail::status_of_path(self, right) == 0 && left.is_same_file(right);
}

// What loads NVTX from here on passes its ranges to CUPTI itself, as the recorder expects.
void send_ranges_to_cupti() {
    const char* const cupti = cubind::library_path(cubind::cupti::library());
    if (cupti != nullptr && is_tool_of_nvtx()) (void)cubind::detail::set_environment_variable(cubind::prof::nvtx_variable, cupti);
}

void start(const char* folder) {
    using namespace cubind::prof;
    cubind::profile::RecorderOptions options;
    const char* const activities = environment_variable(activities_variable);
    (void)read_activities(activities != nullptr ? activities : activities_of_files, options);
    std::size_t memory = default_memory;
    if (const char* const text = environment_variable(memory_variable)) (void)read_size(text, memory);
    limit_memory(memory, options);
    if (options.ranges) send_ranges_to_cupti();
    session = new Session(folder, options);
    // It runs before the functions that the driver and CUPTI have registered so far.
    std::atexit([] { session->finish(); });
}

}  // namespace

extern "C" [[gnu::visibility("default")]] int InitializeInjection() {
    if (session != nullptr) return 1;
    const char* const folder = environment_variable(cubind::prof::folder_variable);
    if (folder == nullptr) return 1;
    const char* const only = environment_variable(cubind::prof::process_variable);
    if (only != nullptr && std::to_string(cubind::detail::process_id()) != only) return 1;
    try {
        start(folder);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "cubind-prof: process %d is not recorded: %s\n", cubind::detail::process_id(), error.what());
    }
    return 1;
}

// The command cannot know which CUPTI the program will use: PyTorch brings its own. It is the one that the recorder uses, too.
extern "C" [[gnu::visibility("default")]] int InitializeInjectionNvtx2(const void* (*get_export_table)(std::uint32_t)) {
    const char* const cupti = cubind::library_path(cubind::cupti::library());
    void* const library = cupti != nullptr ? cubind::detail::open_library(cupti) : nullptr;
    void* const function = library != nullptr ? cubind::detail::find_symbol(library, "InitializeInjectionNvtx2") : nullptr;
    return function != nullptr ? reinterpret_cast<int (*)(const void* (*)(std::uint32_t))>(function)(get_export_table) : 0;
}
