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

#if CUBIND_TOY_VERSION >= 4001 && CUBIND_TOY_VERSION < 5000
static_assert(sizeof(toyStatus) == sizeof(::toyStatus));
static_assert(layout::equal(TOY_OK, ::TOY_OK));
static_assert(layout::equal(TOY_NO_LIBRARY, ::TOY_NO_LIBRARY));
static_assert(layout::equal(TOY_NO_FUNCTION, ::TOY_NO_FUNCTION));

static_assert(sizeof(toyHandle) == sizeof(::toyHandle) && alignof(toyHandle) == alignof(::toyHandle));
static_assert(offsetof(toyHandle, field) == offsetof(::toyHandle, field));
#endif

}  // namespace CUBIND_NAMESPACE::toy

#pragma GCC diagnostic pop
