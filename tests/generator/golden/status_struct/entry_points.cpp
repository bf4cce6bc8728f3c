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

constinit EntryPoint toyClose{.symbol = "toyClose", .since = "13.4", .library = &this_library};
constinit EntryPoint toyCopy{.symbol = "toyCopy", .since = "13.4", .library = &this_library};
constinit EntryPoint toyCount{.symbol = "toyCount", .since = "13.4", .library = &this_library};
constinit EntryPoint toyOpen{.symbol = "toyOpen", .since = "13.4", .library = &this_library};
constinit EntryPoint toyRead{.symbol = "toyRead", .since = "13.4", .library = &this_library};
constinit EntryPoint toyShapeOf{.symbol = "toyShapeOf", .since = "13.4", .library = &this_library};
constinit EntryPoint toyVersion{.symbol = "toyVersion", .since = "13.4", .library = &this_library};

}  // namespace entry_points
}  // namespace CUBIND_NAMESPACE::toy
