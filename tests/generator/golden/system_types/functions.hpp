// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// toy library: https://toy.example/group__TOY__MAIN.html

#include <cubind/result.hpp>
#include <cubind/toy/types.hpp>

namespace CUBIND_NAMESPACE::toy {

/// Since 13.4. Returns status.
/// file: in, opaque.
/// folder: in, opaque.
CUBIND_EXPORT Result<toyStatus> toyLog(::FILE* file, DIR* folder) noexcept;

/// Since 13.4. Returns status, read.
/// target: out, buffer of size.
CUBIND_EXPORT Result<toyStatus, ssize_t> toyRead(void* target, size_t size, off_t offset, loff_t end) noexcept;

/// Since 13.4. Returns status.
/// address: in, opaque.
/// other: in, opaque.
CUBIND_EXPORT Result<toyStatus> toySend(const ::sockaddr* address, const toyAddress* other) noexcept;

/// Since 13.4. Returns status, left.
CUBIND_EXPORT Result<toyStatus, ::timespec> toyWait(toyAlarm alarm, ::timespec limit) noexcept;


}  // namespace CUBIND_NAMESPACE::toy
