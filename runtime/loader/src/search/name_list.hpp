// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

namespace CUBIND_NAMESPACE::detail {

/// View of a null-terminated list of names in a library's row, for range-for. A null list is empty.
class NameList {
public:
    explicit constexpr NameList(const char* const* names) noexcept : begin_(names), end_(names) {
        while (end_ != nullptr && *end_ != nullptr) {
            ++end_;
        }
    }

    constexpr const char* const* begin() const noexcept { return begin_; }
    constexpr const char* const* end() const noexcept { return end_; }

private:
    const char* const* begin_;
    const char* const* end_;
};

}  // namespace CUBIND_NAMESPACE::detail
