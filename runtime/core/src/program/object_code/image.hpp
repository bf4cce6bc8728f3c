// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

namespace CUBIND_NAMESPACE::detail {

/// The bytes of a code file.
using Image = std::span<const std::byte>;

constexpr std::string_view elf_magic(
    "\x7f"
    "ELF");
constexpr std::string_view elf64_magic(
    "\x7f"
    "ELF\x02\x01");
constexpr std::string_view fatbin_magic("\x50\xED\x55\xBA");
constexpr std::size_t elf_header_size = 64;
constexpr std::size_t elf_section_header_size = 64;

inline bool begins_with(Image image, std::string_view bytes) {
    return image.size() >= bytes.size() && std::memcmp(image.data(), bytes.data(), bytes.size()) == 0;
}

/// Returns the number at the offset, which must lie within the image. Images and all hosts of the driver are little-endian.
template <class Number>
std::uint64_t read(Image image, std::size_t offset) {
    Number number;
    std::memcpy(&number, image.data() + offset, sizeof number);
    return number;
}

}  // namespace CUBIND_NAMESPACE::detail
