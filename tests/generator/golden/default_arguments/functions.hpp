// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// toy library: https://toy.example/group__TOY__MAIN.html

#include <cubind/result.hpp>
#include <cubind/toy/types.hpp>

namespace CUBIND_NAMESPACE::toy {

/// Since 13.4. Returns status.
/// text: in, string.
CUBIND_EXPORT Result<toyStatus> toyMark(const char* text = {}, bool slow = 1) noexcept;

/// Since 13.4. Returns status.
CUBIND_EXPORT Result<toyStatus> toyStart(int count, toyColor color = TOY_RED, unsigned int flags = 4, toyBox box = {}) noexcept;

/// Since 13.4. Returns status, answer.
/// state: inout, opaque.
CUBIND_EXPORT Result<toyStatus, int> toyTell(int place = 3, void* state = {}) noexcept;


}  // namespace CUBIND_NAMESPACE::toy
