// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include "platform/elf_image.hpp"

namespace CUBIND_NAMESPACE::sim {

/// What an attribute in a section .nv.info, or .nv.info.KERNEL, states. Attributes with other codes are of no use here.
enum class CubinAttribute : std::uint8_t {
    max_threads = 0x05,
    required_threads = 0x10,
    frame_bytes = 0x11,
    parameter = 0x17,
    parameter_bytes = 0x19,
    registers = 0x2f,
    cluster = 0x3d,
    must_have_cluster = 0x3e,
    max_cluster_blocks = 0x3f,
    large_parameter = 0x45,
};

/// Reads the attributes of a section one by one. Throws DamagedFile if one extends beyond the section.
class CubinAttributeReader {
public:
    explicit CubinAttributeReader(std::string_view section) : rest_(section) {}

    /// Reads the next attribute. Returns false at the end. Its value has at least two bytes.
    bool next(CubinAttribute& attribute, std::string_view& value) {
        constexpr std::size_t header_size = 4;
        if (rest_.size() < header_size) return false;
        constexpr char with_size = 4;  // all other formats have a value of two bytes
        attribute = static_cast<CubinAttribute>(rest_[1]);
        const auto number = cubind::detail::read_value<std::uint16_t>(rest_, 2, "an attribute");
        const bool has_size = rest_[0] == with_size;
        const std::size_t begin = has_size ? header_size : 2;
        const std::size_t size = has_size ? number : 2;
        if (size > rest_.size() - begin) throw cubind::detail::DamagedFile("an attribute extends beyond its section");
        value = rest_.substr(begin, size);
        rest_.remove_prefix(begin + size);
        return true;
    }

private:
    std::string_view rest_;
};

}  // namespace CUBIND_NAMESPACE::sim
