// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// toy library: https://toy.example/group__TOY__MAIN.html

#include <cubind/result.hpp>
#include <cubind/toy/types.hpp>

namespace CUBIND_NAMESPACE::toy {

/// Since 13.4. Returns status, listener.
CUBIND_EXPORT Result<toyStatus, toyListener> toyGetListener() noexcept;

/// Since 13.4. Returns status.
/// listener: in, callback.
/// state: inout, opaque.
CUBIND_EXPORT Result<toyStatus> toyListen(toyBox box, toyListener listener, void* state) noexcept;

/// Since 13.4. Returns status.
/// listener: in, callback.
/// state: inout, opaque.
CUBIND_EXPORT Result<toyStatus> toyListenOnce(toyBox box, void (*listener)(toyBox, void*), void* state) noexcept;

/// Since 13.4. Returns status.
/// namer: in, callback.
CUBIND_EXPORT Result<toyStatus> toyName(toyNamer namer) noexcept;


}  // namespace CUBIND_NAMESPACE::toy
