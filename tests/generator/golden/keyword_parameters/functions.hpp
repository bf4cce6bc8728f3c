// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// toy library: https://toy.example/group__TOY__MAIN.html

#include <cubind/result.hpp>
#include <cubind/toy/types.hpp>

namespace CUBIND_NAMESPACE::toy {

/// Since 13.4. Returns status.
CUBIND_EXPORT Result<toyStatus> toyAsk(int requires_value, int concept_value) noexcept;

/// Since 13.4. Returns status.
CUBIND_EXPORT Result<toyStatus> toyPrepare(int constinit_value, int consteval_value, int char8_t_value) noexcept;

/// Since 13.4. Returns status, co_yield_value.
CUBIND_EXPORT Result<toyStatus, int> toyResume(int co_await_value, int co_return_value, int co_yield_value) noexcept;


}  // namespace CUBIND_NAMESPACE::toy
