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
    .version_function = "toyVersion",
    .version_weights = { 10000, 100, 1 },
    .product = "Toy",
    .has_own_releases = true,
    .major = 0,
    .fallback_symbol = nullptr,
    .library_missing_status = static_cast<int>(TOY_NO_LIBRARY),
    .symbol_missing_status = static_cast<int>(TOY_NO_FUNCTION),
};

}  // namespace

Library& library() noexcept { return this_library; }

namespace entry_points {

constinit EntryPoint toyFresh{.symbol = "toyFresh", .since = "2.10.0", .library = &this_library};
constinit EntryPoint toyOld{.symbol = "toyOld", .since = "2.9.3", .removed = "2.10.0", .library = &this_library};
constinit EntryPoint toyVersion{.symbol = "toyVersion", .since = "2.9.3", .library = &this_library};

}  // namespace entry_points
}  // namespace CUBIND_NAMESPACE::toy
