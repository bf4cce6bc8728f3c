// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

namespace CUBIND_NAMESPACE::detail {

/// Returns whether fork() has created this process while cubind was loaded.
bool is_child_of_fork() noexcept;

/// Returns whether fork() has created this process, or one of its parents, when the driver was loaded.
bool has_parent_loaded_driver() noexcept;

/// Returns whether fork() has created this process, or one of its parents, after note_initialization().
bool has_parent_initialized_driver() noexcept;

}  // namespace CUBIND_NAMESPACE::detail
