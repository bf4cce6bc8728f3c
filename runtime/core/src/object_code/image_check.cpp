// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "object_code/image_check.hpp"

#include <cubind/driver/strings.hpp>
#include <cubind/error.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

#include "object_code/object_code_state.hpp"
#include "support/misuse.hpp"

namespace cubind::detail {
namespace {

using Image = std::span<const std::byte>;

constexpr std::size_t elf_header_size = 64;
constexpr std::size_t fatbin_header_size = 16;

// Images are little-endian, as are all hosts of the driver.
template <class Number>
std::uint64_t read(Image image, std::size_t offset) {
    Number number;
    std::memcpy(&number, image.data() + offset, sizeof number);
    return number;
}

bool begins_with(Image image, std::string_view bytes) {
    return image.size() >= bytes.size() && std::memcmp(image.data(), bytes.data(), bytes.size()) == 0;
}

/// Where a table of an ELF file ends, or a part of it: the largest number for one that is nowhere.
std::uint64_t end_of(std::uint64_t offset, std::uint64_t size) {
    return size > UINT64_MAX - offset ? UINT64_MAX : offset + size;
}

/// How many bytes an ELF file of 64 bits says that it has.
std::uint64_t elf_size(Image image) {
    const std::uint64_t sections = read<std::uint64_t>(image, 40);
    const std::uint64_t section_size = read<std::uint16_t>(image, 58);
    const std::uint64_t section_count = read<std::uint16_t>(image, 60);
    std::uint64_t end = end_of(sections, section_size * section_count);
    end = std::max(end, end_of(read<std::uint64_t>(image, 32), read<std::uint16_t>(image, 54) * read<std::uint16_t>(image, 56)));
    if (end > image.size() || section_size < 64) return end;
    constexpr std::uint64_t without_bytes = 8;  // SHT_NOBITS
    for (std::uint64_t section = 0; section < section_count; ++section) {
        const std::size_t header = sections + section * section_size;
        if (read<std::uint32_t>(image, header + 4) == without_bytes) continue;
        end = std::max(end, end_of(read<std::uint64_t>(image, header + 24), read<std::uint64_t>(image, header + 32)));
    }
    return end;
}

std::uint64_t fatbin_size(Image image) {
    return end_of(read<std::uint16_t>(image, 6), read<std::uint64_t>(image, 8));
}

[[noreturn]] void throw_invalid_image(const ObjectCodeState& code, const std::string& problem) {
    const auto status = driver::CUDA_ERROR_INVALID_IMAGE;
    throw LoadError("driver", "cuLibraryLoadData", static_cast<int>(status), driver::to_string(status), code.title().append(" ").append(problem));
}

void check_size(const ObjectCodeState& code, std::uint64_t promised) {
    const std::size_t size = code.bytes().size();
    if (promised <= size) return;
    throw_invalid_image(code, std::string("is damaged or cut off: it has ").append(std::to_string(size)).append(" bytes, and its headers speak of ")
                                  .append(std::to_string(promised)));
}

void check_kind(const ObjectCodeState& code) {
    const CodeType kind = code.kind();
    if (kind == CodeType::cubin || kind == CodeType::ptx || kind == CodeType::fatbin) return;
    throw_misuse(code.title(), " cannot be loaded: link it first, with Linker({code}).link(CodeType::cubin)");
}

}  // namespace

ImageForm check_image(const ObjectCodeState& code) {
    check_kind(code);
    const Image image = code.bytes().span();
    if (begins_with(image, "\x7f" "ELF")) {
        check_size(code, elf_header_size);
        if (!begins_with(image, "\x7f" "ELF\x02\x01")) throw_invalid_image(code, "is an ELF file, but none of 64 bits, as cubins are");
        check_size(code, elf_size(image));
        return ImageForm::binary;
    }
    if (begins_with(image, "\x50\xED\x55\xBA")) {
        check_size(code, fatbin_header_size);
        check_size(code, fatbin_size(image));
        return ImageForm::binary;
    }
    if (begins_with(image, "\xB1\x43\x62\x46")) {
        throw_invalid_image(code, "is what a program holds to find its fat binary, with an address in it; give the fat binary itself");
    }
    return ImageForm::text;
}

}  // namespace cubind::detail
