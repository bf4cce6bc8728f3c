// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Assertions that the types and enumerators of cubind have the sizes, alignments, offsets and values of the vendor's. They are
/// checked when this header is compiled with the headers of a release. Declarations that the release lacks, or has in an
/// earlier form, are skipped.

#include <cubind/toy/vendor.hpp>

// Types that the vendor deprecates are bound, too.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace CUBIND_NAMESPACE::toy {
namespace layout {

template <class Enumerator, class VendorEnumerator>
constexpr bool equal(Enumerator ours, VendorEnumerator vendors) noexcept {
    return static_cast<long long>(ours) == static_cast<long long>(vendors);
}

}  // namespace layout

#if TOY_VERSION >= 12000
static_assert(sizeof(toyColor) == sizeof(::toyColor));
static_assert(layout::equal(TOY_RED, ::TOY_RED));
static_assert(layout::equal(TOY_BLUE, ::TOY_BLUE));

static_assert(sizeof(toyStatus) == sizeof(::toyStatus));
static_assert(layout::equal(TOY_OK, ::TOY_OK));
static_assert(layout::equal(TOY_NO_LIBRARY, ::TOY_NO_LIBRARY));
static_assert(layout::equal(TOY_NO_FUNCTION, ::TOY_NO_FUNCTION));
#endif

#if TOY_VERSION >= 12000 && TOY_VERSION < 13040
static_assert(sizeof(toyColor) == sizeof(::TOY_DEFAULT_COLOR));
#endif

#if TOY_VERSION >= 13040
static_assert(sizeof(toyPrecision_t) == sizeof(::TOY_DOUBLE));

static_assert(sizeof(const char*) == sizeof(::TOY_NAME));
#endif

#if TOY_VERSION >= 12000
static_assert(sizeof(toyPrecision_t) == sizeof(::TOY_SINGLE));

static_assert(__is_same(toyPrecision_t, ::toyPrecision_t));
#endif
}  // namespace CUBIND_NAMESPACE::toy

#pragma GCC diagnostic pop
