// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

#include "entry_points.hpp"

#include <cubind/toy/loading.hpp>

namespace CUBIND_NAMESPACE::toy {
namespace {

constexpr const char* file_names[] = { "libtoy.so.1", nullptr};
constexpr const char* refused_file_names[] = { nullptr};
constexpr const char* wheel_directories[] = { nullptr};

// The version of the library in each release of CUDA.
constexpr LibraryVersion versions[] = {
    { 12000, 10009014 },  // 12.0
    { 13040, 10012000 },  // 13.4
    {},
};

constinit Library this_library{
    .name = "toy",
    .environment_variable = "CUBIND_TOY_LIBRARY",
    .file_names = file_names,
    .refused_file_names = refused_file_names,
    .wheel_directories = wheel_directories,
    .from_os_loader_only = false,
    .version_function = "toyProperty",
    .version_form = VersionForm::properties,
    .version_properties = { 7, 8, 9 },
    .version_property_count = 3,
    .versions = versions,
    .major = 0,
    .fallback_symbol = nullptr,
    .library_missing_status = static_cast<int>(TOY_NO_LIBRARY),
    .symbol_missing_status = static_cast<int>(TOY_NO_FUNCTION),
};

}  // namespace

Library& library() noexcept { return this_library; }

namespace entry_points {

constinit EntryPoint toyFresh{.symbol = "toyFresh", .since = "13.4", .library = &this_library};
constinit EntryPoint toyProperty{.symbol = "toyProperty", .since = "12.0", .library = &this_library};

}  // namespace entry_points
}  // namespace CUBIND_NAMESPACE::toy
