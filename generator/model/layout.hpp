// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/model.hpp"

namespace cubind::gen::model {

struct Layout {
    std::int64_t size = 0;
    std::int64_t alignment = 1;
};

/// More bytes than any record has. Computed sizes saturate at this value.
inline constexpr std::int64_t max_bytes = std::int64_t{1} << 48;

/// Returns the layout of a type on 64-bit Linux.
Layout layout_of(const Model& model, const Type& type);

/// Returns the layout that C++ gives a record with these fields.
Layout natural_layout(const Model& model, const spec::RecordBody& record);

/// Returns `value` rounded up to a multiple of `unit`.
inline std::int64_t round_up(std::int64_t value, std::int64_t unit) {
    return (value + unit - 1) / unit * unit;
}

/// Returns the layout of a field, whose type may be described in place.
Layout layout_of(const Model& model, const spec::Field& field);

}  // namespace cubind::gen::model
