// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

#include "platform/descriptor.hpp"

/// @file
/// Connections across the network. A function that fails returns no descriptor, or false, and states why in `problem`.

namespace CUBIND_NAMESPACE::detail::meeting {

/// Listens at a port of this host; for localhost and loopback addresses, only for this host.
[[nodiscard]] Descriptor listen_at(const std::string& host, const std::string& port, std::string& problem);
/// Waits for a connection; returns no descriptor if none comes.
[[nodiscard]] Descriptor accept_within(int listener, std::chrono::milliseconds timeout) noexcept;
/// Tries once to connect. `is_final` states that another try is useless, because the host does not exist.
[[nodiscard]] Descriptor connect_within(const std::string& host, const std::string& port, std::chrono::milliseconds timeout,
                                        std::string& problem, bool& is_final);
/// Receives all bytes.
[[nodiscard]] bool receive_within(int connection, void* data, std::size_t size, std::chrono::milliseconds timeout,
                                  std::string& problem);

}  // namespace CUBIND_NAMESPACE::detail::meeting
