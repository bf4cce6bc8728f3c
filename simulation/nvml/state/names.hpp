// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "support/session.hpp"

/// The names by which devices are found.
namespace CUBIND_NAMESPACE::sim::management {

/// Returns the UUID with the prefix "GPU-".
std::string uuid_text(const DeviceFacts& facts);

/// Returns the serial number of the board.
std::string serial_text(int ordinal);

/// An address on the PCI bus.
struct PciAddress {
    unsigned int domain = 0;
    unsigned int bus = 0;
    unsigned int device = 0;
    unsigned int function = 0;
    bool operator==(const PciAddress&) const = default;
};

/// Reads an address as DOMAIN:BUS:DEVICE.FUNCTION, DOMAIN:BUS:DEVICE, BUS:DEVICE.FUNCTION or BUS:DEVICE, in hexadecimal digits.
/// Returns false for other texts.
bool read_address(const char* text, PciAddress& address) noexcept;

/// Returns the address of a device.
PciAddress address_of(const DeviceFacts& facts) noexcept;

}  // namespace CUBIND_NAMESPACE::sim::management
