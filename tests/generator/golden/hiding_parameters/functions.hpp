// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// toy library: https://toy.example/group__TOY__MAIN.html

#include <cubind/result.hpp>
#include <cubind/toy/types.hpp>

namespace cubind::toy {

/// Since 13.4. Returns status, answer.
Result<toyStatus, int> toyDial(int call_value) noexcept;

/// Since 13.4.
int toyDialPlain(int call_plain_value) noexcept;

/// Since 13.4. Returns status.
Result<toyStatus> toyEntry(int entry_points_value) noexcept;

/// Since 13.4. Returns status.
Result<toyStatus> toyNamespace(int toy_value, int detail_value, int cubind_value) noexcept;

/// Since 13.4. Returns status.
Result<toyStatus> toySelf(int toySelf_value) noexcept;

/// Since 13.4. Returns status, toyBox_value.
Result<toyStatus, toyBox> toyTypes(int toyStatus_value) noexcept;


}  // namespace cubind::toy
