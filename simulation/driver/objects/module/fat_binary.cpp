// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// The container of nvcc, fatbinary and nvFatbin, as CUDA 12 and 13 write it: a header, and entries one after the other, each with
// its own header. All numbers are little-endian.
#include "objects/module/fat_binary.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "objects/module/cubin/cubin.hpp"
#include "platform/readable_page.hpp"
#include "ptx/text/target.hpp"
#include "support/decompress.hpp"

namespace CUBIND_NAMESPACE::sim {

using namespace driver;

namespace {

constexpr std::size_t header_size = 16;
constexpr std::size_t min_entry_header_size = 64;

/// A fat binary is regarded as damaged if it states a size of text above max_text_size, or above max_ratio times the compressed
/// size.
constexpr std::uint64_t max_text_size = std::uint64_t{1} << 28;
constexpr std::uint64_t max_ratio = 1 << 16;

template <class Number>
Number read_number(std::string_view bytes, std::size_t offset) noexcept {
    Number value = 0;
    std::memcpy(&value, bytes.data() + offset, sizeof value);
    return value;
}

enum class Kind : std::uint16_t { ptx = 1, cubin = 2, lto_ir = 8 };

/// One entry: code for one compute capability.
struct Entry {
    enum Flag : std::uint64_t { lz4 = 0x2000, zstd = 0x8000, only_this_capability = 0x100000, family = 0x200000 };

    Kind kind;
    int target;
    std::uint64_t flags;
    std::uint32_t compressed_size;
    std::uint64_t uncompressed_size;  ///< 0 if the entry is not compressed
    std::string_view bytes;           ///< with padding at its end

    char variant() const noexcept { return (flags & only_this_capability) != 0 ? 'a' : (flags & family) != 0 ? 'f' : '\0'; }
    std::string describe() const {
        const char* const code = kind == Kind::ptx      ? "PTX for sm_"
                                 : kind == Kind::cubin  ? "machine code for sm_"
                                 : kind == Kind::lto_ir ? "LTO-IR for sm_"
                                                        : "unknown code for sm_";
        std::string text = code + std::to_string(target);
        if (variant() != 0) text += variant();
        return text;
    }
};

// Checks whether the memory is readable, because a fat binary can state a wrong size.
bool is_readable(std::string_view bytes) noexcept {
    const auto address = reinterpret_cast<std::uintptr_t>(bytes.data());
    return cubind::detail::readable_bytes(address, bytes.size()) == bytes.size();
}

/// Reads the entries one by one.
class EntryReader {
public:
    explicit EntryReader(std::string_view entries) : rest_(entries) {}

    /// Reads the next entry. Returns false at the end, and if the rest is damaged.
    bool next(Entry& entry) noexcept {
        if (rest_.size() < min_entry_header_size || !is_readable(rest_.substr(0, min_entry_header_size))) return false;
        const std::uint64_t own_header_size = read_number<std::uint32_t>(rest_, 4);
        const auto size = read_number<std::uint64_t>(rest_, 8);
        if (own_header_size < min_entry_header_size || own_header_size > rest_.size()) return false;
        if (size > rest_.size() - own_header_size) return false;
        entry.kind = static_cast<Kind>(read_number<std::uint16_t>(rest_, 0));
        entry.target = static_cast<int>(std::min<std::uint32_t>(read_number<std::uint32_t>(rest_, 28), 9999));
        entry.flags = read_number<std::uint64_t>(rest_, 40);
        entry.compressed_size = read_number<std::uint32_t>(rest_, 16);
        entry.uncompressed_size = read_number<std::uint64_t>(rest_, 56);
        entry.bytes = rest_.substr(own_header_size, size);
        rest_.remove_prefix(own_header_size + size);
        return true;
    }
    bool is_at_end() const noexcept { return rest_.empty(); }

private:
    std::string_view rest_;
};

bool can_run(const Entry& entry, int capability) noexcept {
    if (entry.kind == Kind::ptx) return ptx::can_run(entry.target, entry.variant(), capability);
    return entry.kind == Kind::cubin && can_run_machine_code(entry.target, entry.variant(), capability);
}

// PTX is preferred to machine code, which cannot run. Code for this capability only is preferred to code for its family, and that
// to code for all later devices.
bool is_better(const Entry& left, const Entry& right) noexcept {
    if (left.kind != right.kind) return left.kind == Kind::ptx;
    const auto rank = [](char variant) { return variant == 'a' ? 2 : variant == 'f' ? 1 : 0; };
    return left.target != right.target ? left.target > right.target : rank(left.variant()) > rank(right.variant());
}

FatBinaryCode damaged(std::string problem) {
    return {CUDA_ERROR_INVALID_IMAGE, "the fat binary is damaged: " + std::move(problem), {}};
}

FatBinaryCode bytes_of(const Entry& entry) {
    FatBinaryCode result;
    if (!is_readable(entry.bytes)) return damaged("its " + entry.describe() + " extends beyond the readable memory");
    if (entry.uncompressed_size == 0) {
        result.bytes = entry.bytes;
    } else {
        const std::uint64_t limit = std::min<std::uint64_t>(max_text_size, entry.bytes.size() * max_ratio);
        if (entry.uncompressed_size > limit) {
            return damaged("its " + entry.describe() + " states " + std::to_string(entry.uncompressed_size) + " bytes, but " +
                           std::to_string(entry.bytes.size()) + " compressed bytes have at most " + std::to_string(limit));
        }
        const std::string_view compressed = entry.bytes.substr(0, entry.compressed_size);
        const bool is_lz4 = (entry.flags & Entry::lz4) != 0;
        if (!is_lz4 && ((entry.flags & Entry::zstd) == 0 || !has_zstd())) {
            const char* const why = (entry.flags & Entry::zstd) != 0 ? "Zstandard, and libzstd.so.1 is not installed; install it"
                                                                     : "an unknown method; compile with CUDA 12 or newer";
            return {CUDA_ERROR_NOT_SUPPORTED,
                    "the " + entry.describe() + " in the fat binary is compressed with " + why + ", or with nvcc --no-compress",
                    {}};
        }
        result.bytes.resize(entry.uncompressed_size);
        if (!(is_lz4 ? decompress_lz4(compressed, result.bytes) : decompress_zstd(compressed, result.bytes)))
            return damaged("its " + entry.describe() + " cannot be decompressed");
    }
    result.is_cubin = entry.kind == Kind::cubin;
    if (!result.is_cubin) result.bytes.resize(std::min(result.bytes.find('\0'), result.bytes.size()));
    return result;
}

}  // namespace

bool begins_with(const void* data, std::span<const unsigned char> beginning) noexcept {
    const auto* bytes = static_cast<const volatile unsigned char*>(data);  // compilers must not read several bytes at once
    for (const unsigned char byte : beginning) {
        if (*bytes++ != byte) return false;
    }
    return true;
}

std::size_t fat_binary_size(const void* data) noexcept {
    constexpr unsigned char beginning[] = {0x50, 0xed, 0x55, 0xba, 1, 0, header_size, 0};
    const auto* const bytes = static_cast<const unsigned char*>(data);
    if (!begins_with(data, beginning)) return 0;
    std::uint64_t size = 0;
    std::memcpy(&size, bytes + sizeof beginning, sizeof size);
    return size > SIZE_MAX - header_size ? SIZE_MAX : header_size + size;
}

FatBinaryCode find_code(std::string_view fat_binary, int capability, bool accepts_machine_code) {
    EntryReader reader(fat_binary.substr(std::min(header_size, fat_binary.size())));
    Entry entry{};
    Entry best{};
    std::string contents;
    while (reader.next(entry)) {
        constexpr std::size_t max_listed = 1000;
        if (contents.size() < max_listed) contents.append(contents.empty() ? "" : ", ").append(entry.describe());
        if (entry.kind == Kind::cubin && !accepts_machine_code) continue;
        if (can_run(entry, capability) && (best.target == 0 || is_better(entry, best))) best = entry;
    }
    if (!reader.is_at_end()) return damaged("an entry extends beyond its end");
    if (best.target != 0) return bytes_of(best);
    const std::string device = std::to_string(capability / 10) + "." + std::to_string(capability % 10);
    const std::string number = std::to_string(capability);
    return {CUDA_ERROR_NO_BINARY_FOR_GPU,
            "the fat binary has no code that a simulated device of compute capability " + device + " can run; it has " +
                (contents.empty() ? "no code" : contents) + "; add PTX with nvcc -gencode arch=compute_" + number +
                ",code=compute_" + number,
            {}};
}

}  // namespace CUBIND_NAMESPACE::sim
