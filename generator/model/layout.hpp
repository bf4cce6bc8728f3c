// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/model.hpp"

namespace cubind::gen::model {

struct Layout {
    std::int64_t size = 0;
    std::int64_t alignment = 1;
};

/// As many bytes as no record has; what would have more is said to have these.
inline constexpr std::int64_t most_bytes = std::int64_t{1} << 48;

/// Layout of a type on 64-bit Linux, where all of CUDA's host APIs are bound.
Layout layout_of(const Model& model, const Type& type);

/// Layout that the fields alone give a record, if they stand where C++ puts them.
Layout natural_layout(const Model& model, const spec::RecordBody& record);

/// `value` rounded up to a multiple of `unit`.
inline std::int64_t round_up(std::int64_t value, std::int64_t unit) { return (value + unit - 1) / unit * unit; }

/// Layout of a field, whose type may be described in place.
Layout layout_of(const Model& model, const spec::Field& field);

}  // namespace cubind::gen::model
