// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

namespace cubind::gen::spec {

/// Computes the places that the Itanium C++ ABI gives to the fields of a record without attributes.
class FieldPlaces {
public:
    explicit FieldPlaces(bool is_union) : is_union_(is_union) {}

    /// Returns the first bit of the next field. `size` and `alignment` of its type are in bytes; `bits` is the width of a
    /// bit-field and 0 for any other field.
    std::int64_t place(std::int64_t size, std::int64_t alignment, std::int64_t bits) {
        std::int64_t begin = is_union_ ? 0 : end_;
        // A bit-field may begin anywhere, as long as one aligned unit of its type holds it.
        const std::int64_t unit = alignment * 8;
        if (bits == 0 || begin % unit + bits > size * 8) begin = (begin + unit - 1) / unit * unit;
        end_ = std::max(end_, begin + (bits == 0 ? size * 8 : bits));
        return begin;
    }
    /// Returns the bytes up to the end of the last field.
    std::int64_t size() const { return (end_ + 7) / 8; }

private:
    bool is_union_;
    std::int64_t end_ = 0;  ///< in bits
};

}  // namespace cubind::gen::spec
