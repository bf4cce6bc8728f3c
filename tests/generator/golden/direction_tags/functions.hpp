// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// toy library: https://toy.example/group__TOY__MAIN.html

#include <cubind/result.hpp>
#include <cubind/toy/types.hpp>

namespace CUBIND_NAMESPACE::toy {

/// Since 13.4. Returns status, answer.
CUBIND_EXPORT Result<toyStatus, int> toyAsk() noexcept;

/// Since 13.4. Returns status, bytes, cursor.
/// source: in, buffer of bytes.
/// target: out, buffer of bytes.
CUBIND_EXPORT Result<toyStatus, size_t, size_t> toyMove(const void* source, void* target, size_t bytes, size_t cursor,
                                                        int plain) noexcept;

/// Since 13.4. Returns status.
/// data: in, array of count.
CUBIND_EXPORT Result<toyStatus> toyShow(const int* data, int count) noexcept;


}  // namespace CUBIND_NAMESPACE::toy
