// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <string>
#include <string_view>

#include "platform/descriptor.hpp"

/// Output of layers. A failed write never ends the program: neither SIGPIPE nor SIGXFSZ is delivered.
namespace CUBIND_NAMESPACE::layers {

/// Writes the text to a file descriptor. Waits while a non-blocking descriptor accepts no bytes.
detail::Written write_text(int file, std::string_view text) noexcept;

/// Opens a file to append text to it, and creates it if it does not exist. Does not wait for the reader of a FIFO. Sets errno
/// on failure.
detail::Descriptor open_to_append(const char* path) noexcept;

/// Returns the reason for a failure of open_to_append() with this errno.
std::string open_problem(int error);

/// Writes the text to the standard error stream and ignores failures.
void print_error(std::string_view text) noexcept;

}  // namespace CUBIND_NAMESPACE::layers
