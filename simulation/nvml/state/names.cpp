// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "state/names.hpp"

#include <charconv>
#include <cstdio>
#include <iterator>
#include <string_view>
#include <system_error>

namespace CUBIND_NAMESPACE::sim::management {

std::string uuid_text(const DeviceFacts& facts) {
    std::string text = "GPU-";
    for (std::size_t i = 0; i < sizeof facts.uuid; ++i) {
        char digits[3];
        std::snprintf(digits, sizeof digits, "%02x", facts.uuid[i]);
        if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
        text += digits;
    }
    return text;
}

std::string serial_text(int ordinal) {
    char text[16];
    std::snprintf(text, sizeof text, "%013d", ordinal + 1);
    return text;
}

bool read_address(const char* text, PciAddress& address) noexcept {
    const std::string_view all = text;
    const char* const end = text + all.size();
    unsigned int parts[3] = {};
    std::size_t count = 0;
    const char* next = text;
    const auto read_number = [&](unsigned int& number) {
        const auto [stop, error] = std::from_chars(next, end, number, 16);
        next = stop;
        return error == std::errc();
    };
    while (true) {
        if (count == std::size(parts) || !read_number(parts[count++])) return false;
        if (next == end || *next != ':') break;
        ++next;
    }
    PciAddress found;
    if (next != end && (*next++ != '.' || !read_number(found.function) || next != end)) return false;
    if (count < 2) return false;
    found.domain = count == 3 ? parts[0] : 0;
    found.bus = parts[count - 2];
    found.device = parts[count - 1];
    address = found;
    return true;
}

PciAddress address_of(const DeviceFacts& facts) noexcept {
    PciAddress address;
    static_cast<void>(read_address(facts.pci_bus_id, address));  // the driver writes a correct address
    return address;
}

}  // namespace CUBIND_NAMESPACE::sim::management
