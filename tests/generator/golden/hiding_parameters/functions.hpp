// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// toy library: https://toy.example/group__TOY__MAIN.html

#include <cubind/result.hpp>
#include <cubind/toy/types.hpp>

namespace CUBIND_NAMESPACE::toy {

/// Since 13.4. Returns status, answer.
CUBIND_EXPORT Result<toyStatus, int> toyDial(int call_value) noexcept;

/// Since 13.4.
CUBIND_EXPORT int toyDialPlain(int call_plain_value) noexcept;

/// Since 13.4. Returns status.
CUBIND_EXPORT Result<toyStatus> toyEntry(int entry_points_value) noexcept;

/// Since 13.4. Returns status.
CUBIND_EXPORT Result<toyStatus> toyNamespace(int toy_value, int detail_value, int cubind_value) noexcept;

/// Since 13.4. Returns status.
CUBIND_EXPORT Result<toyStatus> toySelf(int toySelf_value) noexcept;

/// Since 13.4. Returns status, toyBox_value.
CUBIND_EXPORT Result<toyStatus, toyBox> toyTypes(int toyStatus_value) noexcept;


}  // namespace CUBIND_NAMESPACE::toy
