// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "platform/elf_file.hpp"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <vector>

#include "platform/exhausted.hpp"

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

class OpenedFile {
public:
    explicit OpenedFile(const std::string& path) : number_(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)) {
        if (number_ < 0) throw_if_exhausted(errno);
    }
    OpenedFile(const OpenedFile&) = delete;
    OpenedFile& operator=(const OpenedFile&) = delete;
    ~OpenedFile() {
        if (number_ >= 0) close(number_);
    }

    bool is_open() const { return number_ >= 0; }
    uint64_t size() const {
        struct stat facts = {};
        return fstat(number_, &facts) == 0 ? static_cast<uint64_t>(facts.st_size) : 0;
    }
    // Reads up to `size` bytes and returns their number.
    std::size_t read(void* bytes, std::size_t size, uint64_t offset) const {
        const ssize_t count = pread(number_, bytes, size, static_cast<off_t>(offset));
        if (count < 0) throw_if_exhausted(errno);
        return count > 0 ? static_cast<std::size_t>(count) : 0;
    }

private:
    int number_;
};

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
    if (size < SELFMAG || memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) return "is not a library: it has no ELF header";
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

std::string soname_of(const OpenedFile& file, const std::vector<Segment>& segments, const Segment& dynamic) {
    constexpr uint64_t max_size = 1 << 20;
    std::vector<DynamicEntry> entries((dynamic.p_filesz < max_size ? dynamic.p_filesz : max_size) / sizeof(DynamicEntry));
    const std::size_t size = file.read(entries.data(), entries.size() * sizeof(DynamicEntry), dynamic.p_offset);
    entries.resize(size / sizeof(DynamicEntry));
    uint64_t texts = 0;
    uint64_t name = 0;
    for (const DynamicEntry& entry : entries) {
        if (entry.d_tag == DT_NULL) break;
        if (entry.d_tag == DT_STRTAB) texts = offset_of(segments, entry.d_un.d_ptr);
        if (entry.d_tag == DT_SONAME) name = entry.d_un.d_val;
    }
    char text[256] = {};
    if (texts == 0 || name == 0) return {};
    file.read(text, sizeof text - 1, texts + name);
    return text;
}

}  // namespace

ElfFile examine_elf_file(const std::string& path) {
    const OpenedFile file(path);
    if (!file.is_open()) return {.problem = std::generic_category().message(errno), .soname = {}};
    const uint64_t size = file.size();
    Header header = {};
    std::string problem = header_problem(header, file.read(&header, sizeof header, 0));
    if (problem.empty()) {
        problem = range_problem("program headers", header.e_phoff, uint64_t{sizeof(Segment)} * header.e_phnum, size);
    }
    if (problem.empty() && header.e_shoff != 0) {
        problem = range_problem("section headers", header.e_shoff, uint64_t{header.e_shentsize} * header.e_shnum, size);
    }
    if (!problem.empty()) return {.problem = std::move(problem), .soname = {}};

    std::vector<Segment> segments(header.e_phnum);
    file.read(segments.data(), segments.size() * sizeof(Segment), header.e_phoff);
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

}  // namespace CUBIND_NAMESPACE::detail
