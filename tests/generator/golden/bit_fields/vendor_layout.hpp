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

/// Returns whether a bit-field consists of the same bits in two records of the same size. `read` returns the value of the
/// bit-field
/// in either record. The function fills both records with the same patterns and compares the values. Pattern n sets the bits
/// whose
/// number, counted from 1, has binary digit n, so any two bits differ in at least one pattern. clang cannot
/// convert bytes to bit-fields in a constant expression, so it skips these checks; it lays out records as g++ does.
template <class Record, class VendorRecord, class Read>
constexpr bool same_bits(Read read) noexcept {
    struct Bytes {
        unsigned char values[sizeof(Record)];
    };
    constexpr size_t count = sizeof(Record) * 8;
    for (size_t digit = 0; (count >> digit) != 0; ++digit) {
        Bytes pattern{};
        for (size_t bit = 0; bit < count; ++bit) {
            const unsigned mask = ((bit + 1) >> digit & 1) != 0 ? 1U << bit % 8 : 0U;
            pattern.values[bit / 8] = static_cast<unsigned char>(pattern.values[bit / 8] | mask);
        }
        if (read(__builtin_bit_cast(Record, pattern)) != read(__builtin_bit_cast(VendorRecord, pattern))) return false;
    }
    return true;
}

}  // namespace layout

#if TOY_VERSION >= 13040
static_assert(sizeof(toyStatus) == sizeof(::toyStatus));
static_assert(layout::equal(TOY_OK, ::TOY_OK));
static_assert(layout::equal(TOY_NO_LIBRARY, ::TOY_NO_LIBRARY));
static_assert(layout::equal(TOY_NO_FUNCTION, ::TOY_NO_FUNCTION));

static_assert(sizeof(toyCrate) == sizeof(::toyCrate) && alignof(toyCrate) == alignof(::toyCrate));
static_assert(offsetof(toyCrate, name) == offsetof(::toyCrate, name));
static_assert(offsetof(toyCrate, cache) == offsetof(::toyCrate, cache));
static_assert(offsetof(toyCrate, cache.both) == offsetof(::toyCrate, cache.both));
static_assert(offsetof(toyCrate, cache.config) == offsetof(::toyCrate, cache.config));
#ifndef __clang__
static_assert(
    layout::same_bits<decltype(toyCrate::cache.config), decltype(::toyCrate::cache.config)>(
        [](const auto& each) { return static_cast<long long>(each.requested); }));
static_assert(
    layout::same_bits<decltype(toyCrate::cache.config), decltype(::toyCrate::cache.config)>(
        [](const auto& each) { return static_cast<long long>(each.executed); }));
#endif

static_assert(sizeof(toyEither) == sizeof(::toyEither) && alignof(toyEither) == alignof(::toyEither));
static_assert(offsetof(toyEither, all) == offsetof(::toyEither, all));

static_assert(sizeof(toyFlags) == sizeof(::toyFlags) && alignof(toyFlags) == alignof(::toyFlags));
static_assert(offsetof(toyFlags, letter) == offsetof(::toyFlags, letter));
#ifndef __clang__
static_assert(layout::same_bits<toyFlags, ::toyFlags>([](const auto& each) { return static_cast<long long>(each.small); }));
static_assert(layout::same_bits<toyFlags, ::toyFlags>([](const auto& each) { return static_cast<long long>(each.wide); }));
static_assert(layout::same_bits<toyFlags, ::toyFlags>([](const auto& each) { return static_cast<long long>(each.negative); }));
static_assert(layout::same_bits<toyFlags, ::toyFlags>([](const auto& each) { return static_cast<long long>(each.status); }));
#endif
#endif

}  // namespace CUBIND_NAMESPACE::toy

#pragma GCC diagnostic pop
