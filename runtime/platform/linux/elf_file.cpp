// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "platform/elf_file.hpp"

#include <algorithm>
#include <elf.h>
#include <link.h>
#include <stdint.h>
#include <string.h>
#include <system_error>
#include <unistd.h>
#include <vector>

#include "platform/exhausted.hpp"
#include "platform/file.hpp"

namespace CUBIND_NAMESPACE::detail {

namespace {

using Header = ElfW(Ehdr);
using Segment = ElfW(Phdr);
using DynamicEntry = ElfW(Dyn);

#if defined(__x86_64__)
constexpr unsigned native_machine = EM_X86_64;
#elif defined(__aarch64__)
constexpr unsigned native_machine = EM_AARCH64;
#else
#error "cubind supports x86-64 and AArch64"
#endif
constexpr unsigned char native_byte_order = ELFDATA2LSB;

uint64_t size_of(int file) {
    FileStatus status;
    return status_of_file(file, status) == 0 ? status.size : 0;
}

// Reads up to `size` bytes and returns their number.
std::size_t read_at(int file, void* bytes, std::size_t size, uint64_t offset) {
    const ssize_t count = pread(file, bytes, size, static_cast<off_t>(offset));
    if (count < 0) throw_if_exhausted(errno);
    return count > 0 ? static_cast<std::size_t>(count) : 0;
}

bool is_elf(const Header& header, std::size_t size) {
    return size >= SELFMAG && memcmp(header.e_ident, ELFMAG, SELFMAG) == 0;
}

// Returns the segments that the file contains. A damaged file may contain fewer than it states.
std::vector<Segment> read_segments(int file, const Header& header) {
    std::vector<Segment> segments(header.e_phnum);
    segments.resize(read_at(file, segments.data(), segments.size() * sizeof(Segment), header.e_phoff) / sizeof(Segment));
    return segments;
}

// Reads a segment, at most its first MiB.
std::vector<std::byte> read_content(int file, const Segment& segment) {
    constexpr uint64_t max_size = 1 << 20;
    std::vector<std::byte> content(std::min<uint64_t>(segment.p_filesz, max_size));
    content.resize(read_at(file, content.data(), content.size(), segment.p_offset));
    return content;
}

std::string machine_name(unsigned machine) {
    switch (machine) {
        case EM_X86_64:
            return "x86-64";
        case EM_AARCH64:
            return "AArch64";
        case EM_386:
            return "32-bit x86";
        case EM_ARM:
            return "32-bit Arm";
        case EM_PPC64:
            return "POWER";
        case EM_CUDA:
            return "GPUs";
        default:
            return "machine " + std::to_string(machine);
    }
}

std::string type_name(unsigned type) {
    switch (type) {
        case ET_REL:
            return "an object file";
        case ET_EXEC:
            return "an executable program";
        case ET_CORE:
            return "a core dump";
        default:
            return "an ELF file of type " + std::to_string(type);
    }
}

std::string header_problem(const Header& header, std::size_t size) {
    if (!is_elf(header, size)) return "is not a library: it has no ELF header";
    if (size < sizeof header) return "is truncated within its ELF header, at byte " + std::to_string(size);
    if (header.e_ident[EI_CLASS] != ELFCLASS64) return "is a 32-bit library, but this process is a 64-bit process";
    if (header.e_ident[EI_DATA] != native_byte_order) return "is a big-endian library, but this machine is little-endian";
    if (header.e_machine != native_machine) {
        return "is a library for " + machine_name(header.e_machine) + ", but this process runs on " +
               machine_name(native_machine);
    }
    if (header.e_type != ET_DYN) return "is " + type_name(header.e_type) + ", not a shared library";
    if (header.e_phentsize != sizeof(Segment) || header.e_phnum == 0) return "is not a library: it has no program headers";
    return {};
}

// Returns why the file is truncated if bytes [offset, offset + size) are not all in a file of `file_size` bytes; otherwise an
// empty text.
std::string range_problem(const char* what, uint64_t offset, uint64_t size, uint64_t file_size) {
    if (offset <= file_size && size <= file_size - offset) return {};
    const std::string end = size <= UINT64_MAX - offset ? std::to_string(offset + size) : "an impossible position";
    return "is truncated: it has " + std::to_string(file_size) + " bytes, but its " + what + " end at byte " + end;
}

// Returns the position in the file of an address in the loaded library; 0 if no segment contains it.
uint64_t offset_of(const std::vector<Segment>& segments, uint64_t address) {
    for (const Segment& each : segments) {
        if (each.p_type == PT_LOAD && address >= each.p_vaddr && address - each.p_vaddr < each.p_filesz) {
            return each.p_offset + (address - each.p_vaddr);
        }
    }
    return 0;
}

std::string soname_of(int file, const std::vector<Segment>& segments, const Segment& dynamic) {
    const std::vector<std::byte> content = read_content(file, dynamic);
    uint64_t texts = 0;
    uint64_t name = 0;
    for (std::size_t at = 0; at + sizeof(DynamicEntry) <= content.size(); at += sizeof(DynamicEntry)) {
        DynamicEntry entry;
        memcpy(&entry, content.data() + at, sizeof entry);
        if (entry.d_tag == DT_NULL) break;
        if (entry.d_tag == DT_STRTAB) texts = offset_of(segments, entry.d_un.d_ptr);
        if (entry.d_tag == DT_SONAME) name = entry.d_un.d_val;
    }
    char text[256] = {};
    if (texts == 0 || name == 0) return {};
    read_at(file, text, sizeof text - 1, texts + name);
    return text;
}

// Returns the build ID among the notes of a segment; empty if there is none.
std::vector<std::byte> build_id_in(const std::vector<std::byte>& notes) {
    const auto padded = [](std::size_t size) { return (size + 3) / 4 * 4; };
    for (std::size_t at = 0; at + sizeof(ElfW(Nhdr)) <= notes.size();) {
        ElfW(Nhdr) note;
        memcpy(&note, notes.data() + at, sizeof note);
        const std::size_t name = at + sizeof note;
        const std::size_t begin = name + padded(note.n_namesz);
        const std::size_t end = begin + note.n_descsz;
        if (end > notes.size()) break;
        const bool is_gnu =
            note.n_namesz == sizeof ELF_NOTE_GNU && memcmp(notes.data() + name, ELF_NOTE_GNU, sizeof ELF_NOTE_GNU) == 0;
        const auto position = [&](std::size_t index) { return notes.begin() + static_cast<std::ptrdiff_t>(index); };
        if (is_gnu && note.n_type == NT_GNU_BUILD_ID) return {position(begin), position(end)};
        at = begin + padded(note.n_descsz);
    }
    return {};
}

}  // namespace

ElfFile examine_elf_file(const std::string& path) {
    const Descriptor opened = open_to_read(path.c_str());
    if (!opened) {
        throw_if_exhausted(errno);
        return {.problem = std::generic_category().message(errno), .soname = {}};
    }
    const int file = opened.number();
    const uint64_t size = size_of(file);
    Header header = {};
    std::string problem = header_problem(header, read_at(file, &header, sizeof header, 0));
    if (problem.empty()) {
        problem = range_problem("program headers", header.e_phoff, uint64_t{sizeof(Segment)} * header.e_phnum, size);
    }
    if (problem.empty() && header.e_shoff != 0) {
        problem = range_problem("section headers", header.e_shoff, uint64_t{header.e_shentsize} * header.e_shnum, size);
    }
    if (!problem.empty()) return {.problem = std::move(problem), .soname = {}};

    const std::vector<Segment> segments = read_segments(file, header);
    const Segment* dynamic = nullptr;
    for (const Segment& each : segments) {
        if (each.p_type == PT_DYNAMIC) dynamic = &each;
        if (each.p_type == PT_LOAD || each.p_type == PT_DYNAMIC) {
            problem = range_problem("segments", each.p_offset, each.p_filesz, size);
            if (!problem.empty()) return {.problem = std::move(problem), .soname = {}};
        }
    }
    if (dynamic == nullptr) return {.problem = "is not a shared library: it has no dynamic section", .soname = {}};
    return {.problem = {}, .soname = soname_of(file, segments, *dynamic)};
}

std::vector<std::byte> elf_build_id(int file) {
    Header header = {};
    if (!is_elf(header, read_at(file, &header, sizeof header, 0)) || header.e_phentsize != sizeof(Segment)) return {};
    for (const Segment& segment : read_segments(file, header)) {
        if (segment.p_type != PT_NOTE) continue;
        if (std::vector<std::byte> id = build_id_in(read_content(file, segment)); !id.empty()) return id;
    }
    return {};
}

}  // namespace CUBIND_NAMESPACE::detail
