// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Defines LIST_FUNCTION, which returns the list of all wrappers of LIBRARY. WRAPPERS names them and HEADER declares them.
#include HEADER

#include <type_traits>

#include "wrapper_list.hpp"

namespace cubind::testing {
namespace {

namespace library = cubind::LIBRARY;

/// Returns a zero argument of that type. A reference binds to a static zero object.
template <class Type>
Type zero() {
    if constexpr (std::is_reference_v<Type>) {
        static std::remove_cv_t<std::remove_reference_t<Type>> object{};
        return static_cast<Type>(object);
    } else {
        return Type{};
    }
}

template <class Status, class... Values, class... Arguments>
int call_with_zeros(cubind::Result<Status, Values...> (*wrapper)(Arguments...) noexcept) {
    return static_cast<int>(wrapper(zero<Arguments>()...).status);
}

template <class Return, class... Arguments>
[[maybe_unused]] int call_with_zeros(Return (*wrapper)(Arguments...) noexcept) {
    static_cast<void>(wrapper(zero<Arguments>()...));
    return 0;
}

#define RELEASE(release) release,
#define WRAPPER(name, symbol, since, removed, releases)
constexpr const char* release_names[] = {
#include WRAPPERS
};
#undef RELEASE
#undef WRAPPER

#define RELEASE(release)
#define WRAPPER(name, symbol, since, removed, releases)                                    \
    {#name,                                                                                \
     symbol,                                                                               \
     since,                                                                                \
     removed,                                                                              \
     releases,                                                                             \
     [] { return library::entry_point_of(reinterpret_cast<void (*)()>(&library::name)); }, \
     [] { return library::has(library::name); },                                           \
     [] { return library::available_since(library::name); },                               \
     [] { return call_with_zeros(library::name); }},
constexpr Wrapper wrappers[] = {
#include WRAPPERS
};

}  // namespace

WrapperList LIST_FUNCTION() {
    return {release_names, wrappers};
}

}  // namespace cubind::testing
