// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// toy library: https://toy.example/group__TOY__MAIN.html

#include <cubind/result.hpp>
#include <cubind/toy/types.hpp>

namespace CUBIND_NAMESPACE::toy {

/// Since 13.4. Returns status.
CUBIND_EXPORT Result<toyStatus> toyBytes(size_t bytes = 4) noexcept;

/// Since 13.4. Returns status.
CUBIND_EXPORT Result<toyStatus> toyFlags(unsigned int flags = 5) noexcept;

/// Since 13.4. Returns status.
CUBIND_EXPORT Result<toyStatus> toyMask(unsigned int mask = 5) noexcept;

/// Since 13.4. Returns status.
CUBIND_EXPORT Result<toyStatus> toyShift(int by = -1) noexcept;

/// Since 13.4. Returns status.
/// text: in, string.
CUBIND_EXPORT Result<toyStatus> toyText(const char* text = {}) noexcept;


}  // namespace CUBIND_NAMESPACE::toy
