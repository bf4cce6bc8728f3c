// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace cubind::detail {

/// How a read ended: with an errno, or before all was there, or with all.
struct Transfer {
    int error;
    bool is_whole;
};

Transfer read_whole(int file, void* data, std::size_t size) noexcept;

/// Gives 0 or an errno. A file that may not grow so large is an error like others and ends no process.
int write_whole(int file, const void* data, std::size_t size) noexcept;

}  // namespace cubind::detail
