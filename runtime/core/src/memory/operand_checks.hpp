// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/memory/copy.hpp>
#include <cubind/core/memory/fill.hpp>

#include <string>

/// Checks of the operands of copies and fills that need no driver call.
namespace CUBIND_NAMESPACE::detail {

/// `which` begins the message, such as "copy 2 of 5 of the batch: ".
[[noreturn]] void throw_too_small(const CopyOperands& operands, const std::string& which = {});

/// Throws std::invalid_argument if the destination is smaller than the source.
inline void check_sizes(const CopyOperands& operands) {
    if (operands.source.size > operands.destination.size) [[unlikely]]
        throw_too_small(operands);
}

/// Returns the same fill with as few rows and slices as possible: those without gaps are one row. Throws std::invalid_argument if
/// the address, the size of a row or a pitch is not a multiple of the pattern's size.
[[nodiscard]] FillArguments checked_fill(const FillArguments& fill);

}  // namespace CUBIND_NAMESPACE::detail
