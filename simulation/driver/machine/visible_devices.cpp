// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "machine/visible_devices.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace CUBIND_NAMESPACE::sim {

using namespace driver;

namespace {

constexpr int no_device = -1;

bool is_digit(char each) noexcept {
    return each >= '0' && each <= '9';
}

// As an H200 (driver 580.159.04): blanks before the number, a sign and any text behind the digits are accepted, and only the low
// 32 bits count, unless the number exceeds 64 bits.
int read_index(std::string_view entry) {
    entry.remove_prefix(std::min(entry.find_first_not_of(" \t\n\v\f\r"), entry.size()));
    const bool is_negative = entry.starts_with('-');
    if (is_negative || entry.starts_with('+')) entry.remove_prefix(1);
    if (entry.empty() || !is_digit(entry.front())) return no_device;
    std::int64_t value = 0;
    for (; !entry.empty() && is_digit(entry.front()); entry.remove_prefix(1)) {
        if (__builtin_mul_overflow(value, 10, &value) || __builtin_add_overflow(value, entry.front() - '0', &value))
            return no_device;
    }
    return static_cast<int>(static_cast<std::uint32_t>(is_negative ? -value : value));
}

int value_of_hex(char each) noexcept {
    if (is_digit(each)) return each - '0';
    if (each >= 'a' && each <= 'f') return each - 'a' + 10;
    if (each >= 'A' && each <= 'F') return each - 'A' + 10;
    return -1;
}

// Devices that are divided into parts have UUIDs with the second prefix. The driver accepts it for others, too.
bool is_uuid(std::string_view entry) noexcept {
    return entry.starts_with("GPU-") || entry.starts_with("MIG-");
}

// Dashes count nowhere, and neither does what follows a complete UUID.
int find_by_uuid(std::string_view entry, const std::vector<CUuuid>& devices) {
    constexpr std::size_t max_digits = 2 * sizeof(CUuuid::bytes);
    if (!is_uuid(entry)) return no_device;
    std::vector<int> digits;
    for (const char each : entry.substr(4)) {
        if (digits.size() == max_digits) break;
        if (each == '-') continue;
        digits.push_back(value_of_hex(each));
        if (digits.back() < 0) return no_device;
    }
    if (digits.empty()) return no_device;
    int found = no_device;
    for (std::size_t device = 0; device < devices.size(); ++device) {
        bool is_equal = true;
        for (std::size_t i = 0; i < digits.size(); ++i) {
            const auto byte = static_cast<unsigned char>(devices[device].bytes[i / 2]);
            is_equal &= digits[i] == (i % 2 == 0 ? byte >> 4 : byte & 15);
        }
        if (!is_equal) continue;
        if (found != no_device) return no_device;
        found = static_cast<int>(device);
    }
    return found;
}

}  // namespace

std::optional<std::vector<int>> select_devices(std::string_view list, const std::vector<CUuuid>& devices) {
    std::vector<int> selected;
    const bool has_uuids = is_uuid(list);
    while (true) {
        const std::size_t end = list.find(',');
        const std::string_view entry = list.substr(0, end);
        const int device = has_uuids ? find_by_uuid(entry, devices) : read_index(entry);
        if (device < 0 || static_cast<std::size_t>(device) >= devices.size()) return selected;
        if (std::ranges::find(selected, device) != selected.end()) return std::nullopt;
        selected.push_back(device);
        if (end == list.npos) return selected;
        list.remove_prefix(end + 1);
    }
}

}  // namespace CUBIND_NAMESPACE::sim
