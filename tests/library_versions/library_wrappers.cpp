// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Adds the list of all wrappers of LIBRARY. WRAPPERS names them and HEADER declares them. LIBRARY_MISSING and SYMBOL_MISSING are
// the statuses of library.json.
#include HEADER

#include <cstddef>

#include "../support/call_with_zeros.hpp"
#include "wrapper_list.hpp"

namespace cubind::testing {
namespace {

namespace library = cubind::LIBRARY;

#define RELEASE(release) release,
#define FUNCTIONS(count)
#define WRAPPER(name, symbol, since, removed, releases, returns_status, missing_value, is_variable)
constexpr const char* release_names[] = {
#include WRAPPERS
};
#undef RELEASE
#undef FUNCTIONS
#undef WRAPPER

#define RELEASE(release)
#define FUNCTIONS(count) constexpr std::size_t function_count = count;
#define WRAPPER(name, symbol, since, removed, releases, returns_status, missing_value, is_variable)
#include WRAPPERS
#undef FUNCTIONS
#undef WRAPPER

#define FUNCTIONS(count)
#define WRAPPER(name, symbol, since, removed, releases, returns_status, missing_value, is_variable) \
    {#name,                                                                                         \
     symbol,                                                                                        \
     since,                                                                                         \
     removed,                                                                                       \
     releases,                                                                                      \
     returns_status,                                                                                \
     missing_value,                                                                                 \
     is_variable,                                                                                   \
     [] { return library::entry_point_of(reinterpret_cast<void (*)()>(&library::name)); },          \
     [] { return library::has(library::name); },                                                    \
     [] { return library::available_since(library::name); },                                        \
     [] { return call_with_zeros(library::name); }},
constexpr Wrapper wrappers[] = {
#include WRAPPERS
};

#define TEXT_OF(token) TEXT(token)
#define TEXT(text) #text
[[maybe_unused]] const bool is_added = add({TEXT_OF(LIBRARY),
                                            &library::library(),
                                            library::all_entry_points(),
                                            {release_names, wrappers},
                                            function_count,
                                            static_cast<int>(library::LIBRARY_MISSING),
                                            static_cast<int>(library::SYMBOL_MISSING)});

}  // namespace
}  // namespace cubind::testing
