// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/memory/file_descriptor.hpp>

#include <cstddef>
#include <span>
#include <vector>

/// Messages with file descriptors on Unix sockets. The functions throw std::system_error if the operating system fails.
namespace CUBIND_NAMESPACE::detail {

/// Descriptors that Linux accepts in one message.
inline constexpr std::size_t max_descriptors = 253;

/// Sends bytes, of which there is at least one, and descriptors.
void send_message(int socket, std::span<const std::byte> bytes, std::span<const int> descriptors);

/// Receives exactly this many bytes, and adds the descriptors that arrive with them.
void receive_message(int socket, std::span<std::byte> bytes, std::vector<FileDescriptor>& descriptors);

}  // namespace CUBIND_NAMESPACE::detail
