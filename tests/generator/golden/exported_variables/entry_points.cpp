// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

#include "entry_points.hpp"

#include <cubind/toy/loading.hpp>

namespace CUBIND_NAMESPACE::toy {
namespace {

constexpr const char* file_names[] = { "libtoy.so.1", nullptr};
constexpr const char* refused_file_names[] = { nullptr};
constexpr const char* wheel_directories[] = { nullptr};

constinit Library this_library{
    .name = "toy",
    .environment_variable = "CUBIND_TOY_LIBRARY",
    .file_names = file_names,
    .refused_file_names = refused_file_names,
    .wheel_directories = wheel_directories,
    .from_os_loader_only = false,
    .version_function = nullptr,
    .major = 0,
    .fallback_symbol = nullptr,
    .library_missing_status = static_cast<int>(TOY_NO_LIBRARY),
    .symbol_missing_status = static_cast<int>(TOY_NO_FUNCTION),
};

}  // namespace

Library& library() noexcept { return this_library; }

namespace entry_points {

constinit EntryPoint toyCompute{.symbol = "toyCompute", .since = "12.0", .library = &this_library};
constinit EntryPoint TOY_DEFAULT_COLOR{.symbol = "TOY_DEFAULT_COLOR", .since = "12.0", .removed = "13.4",
                                       .library = &this_library};
constinit EntryPoint TOY_DOUBLE{.symbol = "TOY_DOUBLE", .since = "13.4", .library = &this_library};
constinit EntryPoint TOY_NAME{.symbol = "TOY_NAME", .since = "13.4", .library = &this_library};
constinit EntryPoint TOY_SINGLE{.symbol = "TOY_SINGLE", .since = "12.0", .library = &this_library};

}  // namespace entry_points
}  // namespace CUBIND_NAMESPACE::toy
