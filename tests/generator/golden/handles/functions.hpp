// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// toy library: https://toy.example/group__TOY__MAIN.html

#include <cubind/result.hpp>
#include <cubind/toy/types.hpp>

namespace CUBIND_NAMESPACE::toy {

/// Since 13.4. Returns status, array.
CUBIND_EXPORT Result<toyStatus, toyArray_t> toyMakeArray() noexcept;

/// Since 13.4. Returns status.
CUBIND_EXPORT Result<toyStatus> toyReadArray(toyConstArray_t array, toySameArray_t other, toyOtherName third) noexcept;

/// Since 13.4. Returns status.
/// arrays: in, array of count.
CUBIND_EXPORT Result<toyStatus> toyReadArrays(const toyArray_t* arrays, unsigned int count) noexcept;


}  // namespace CUBIND_NAMESPACE::toy
