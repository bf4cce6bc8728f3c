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

#if TOY_VERSION >= 13040
static_assert(sizeof(toyStatus) == sizeof(::toyStatus));
static_assert(layout::equal(TOY_OK, ::TOY_OK));
static_assert(layout::equal(TOY_NO_LIBRARY, ::TOY_NO_LIBRARY));
static_assert(layout::equal(TOY_NO_FUNCTION, ::TOY_NO_FUNCTION));

static_assert(__is_same(toyHalfType, ::toyHalfType));
static_assert(sizeof(toyQuarter) == sizeof(::toyQuarter) && alignof(toyQuarter) == alignof(::toyQuarter));

static_assert(sizeof(toyPair) == sizeof(::toyPair) && alignof(toyPair) == alignof(::toyPair));
static_assert(offsetof(toyPair, first) == offsetof(::toyPair, first));
static_assert(offsetof(toyPair, second) == offsetof(::toyPair, second));
#endif

}  // namespace CUBIND_NAMESPACE::toy

#pragma GCC diagnostic pop
