// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// toy library: https://toy.example/group__TOY__OTHER.html

#include <cubind/result.hpp>
#include <cubind/toy/types.hpp>

namespace CUBIND_NAMESPACE::toy {

/// Since 13.4. Returns status, a.
CUBIND_EXPORT Result<toyStatus, int> toyGetOne() noexcept;


}  // namespace CUBIND_NAMESPACE::toy
