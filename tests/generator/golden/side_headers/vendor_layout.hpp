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

#if TOY_VERSION >= 13040 && defined(TOY_BOX_H)
static_assert(sizeof(toyBoxState) == sizeof(::toyBoxState));
static_assert(layout::equal(TOY_BOX_OPEN, ::TOY_BOX_OPEN));
static_assert(layout::equal(TOY_BOX_CLOSED, ::TOY_BOX_CLOSED));
#endif

#if TOY_VERSION >= 13040
static_assert(sizeof(toyStatus) == sizeof(::toyStatus));
static_assert(layout::equal(TOY_OK, ::TOY_OK));
static_assert(layout::equal(TOY_NO_LIBRARY, ::TOY_NO_LIBRARY));
static_assert(layout::equal(TOY_NO_FUNCTION, ::TOY_NO_FUNCTION));
#endif

#if TOY_VERSION >= 13040 && defined(TOY_BOX_H)
static_assert(sizeof(BoxHandle) == sizeof(::BoxHandle));
static_assert(sizeof(BoxSize) == sizeof(::BoxSize));
static_assert(sizeof(toyBox) == sizeof(::toyBox) && alignof(toyBox) == alignof(::toyBox));
static_assert(offsetof(toyBox, handle) == offsetof(::toyBox, handle));
static_assert(offsetof(toyBox, inside) == offsetof(::toyBox, inside));
static_assert(offsetof(toyBox, inside.sides) == offsetof(::toyBox, inside.sides));
static_assert(offsetof(toyBox, inside.content) == offsetof(::toyBox, inside.content));
static_assert(offsetof(toyBox, state) == offsetof(::toyBox, state));

static_assert(__is_same(toyBoxStream, ::toyBoxStream));
#endif
}  // namespace CUBIND_NAMESPACE::toy

#pragma GCC diagnostic pop
