// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <cerrno>
#include <new>

namespace CUBIND_NAMESPACE::detail {

/// Throws std::bad_alloc if a call of the system failed because memory or file descriptors are exhausted (ENOMEM, EMFILE or
/// ENFILE). The file may be usable nevertheless, so a later search must check it again.
inline void throw_if_exhausted(int error) {
    if (error == ENOMEM || error == EMFILE || error == ENFILE) throw std::bad_alloc();
}

}  // namespace CUBIND_NAMESPACE::detail
