// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// toy library: https://toy.example/group__TOY__MAIN.html

#include <cubind/result.hpp>
#include <cubind/toy/types.hpp>

namespace cubind::toy {

/// Since 13.4. Returns status, listener.
Result<toyStatus, toyListener> toyGetListener() noexcept;

/// Since 13.4. Returns status.
/// listener: in, callback.
/// state: inout, opaque.
Result<toyStatus> toyListen(toyBox box, toyListener listener, void* state) noexcept;

/// Since 13.4. Returns status.
/// listener: in, callback.
/// state: inout, opaque.
Result<toyStatus> toyListenOnce(toyBox box, void (*listener)(toyBox, void*), void* state) noexcept;

/// Since 13.4. Returns status.
/// namer: in, callback.
Result<toyStatus> toyName(toyNamer namer) noexcept;


}  // namespace cubind::toy
