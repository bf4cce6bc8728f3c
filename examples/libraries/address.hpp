// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/memory/typed_buffer.hpp>

namespace example {

/// Returns the address of the buffer's memory as the pointer that the functions of libraries take.
template <class T>
T* address(const cubind::TypedBuffer<T>& buffer) {
    return reinterpret_cast<T*>(buffer.native_handle());
}

}  // namespace example
