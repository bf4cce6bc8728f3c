// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace cubind::testing {

/// Writes fat binaries byte by byte, as nvcc of CUDA 12 and 13 does.
class FatBinaryWriter {
public:
    enum Kind : std::uint16_t { ptx = 1, cubin = 2, lto_ir = 8 };
    enum Flag : std::uint64_t { plain = 0x11, lz4 = 0x2000, zstd = 0x8000, only_this_capability = 0x100000, family = 0x200000 };

    /// Adds an entry. The size is that of the uncompressed code; 0 for code that is not compressed.
    FatBinaryWriter& add(Kind kind, int target, std::string bytes, std::uint64_t flags = plain, std::uint64_t size = 0) {
        constexpr std::size_t padding = 8;
        const std::size_t length = bytes.size();
        bytes.resize((length + padding - 1) / padding * padding);
        std::string header(64, '\0');
        put(header, 0, static_cast<std::uint16_t>(kind));
        put(header, 2, std::uint16_t{0x101});
        put(header, 4, static_cast<std::uint32_t>(header.size()));
        put(header, 8, std::uint64_t{bytes.size()});
        if (size != 0) put(header, 16, static_cast<std::uint32_t>(length));
        put(header, 28, static_cast<std::uint32_t>(target));
        put(header, 40, flags);
        put(header, 56, size);
        entries_ += header + bytes;
        return *this;
    }
    /// Adds text in an LZ4 block.
    FatBinaryWriter& add_lz4(int target, const std::string& text) {
        return add(ptx, target, lz4_block(text), plain | lz4, text.size());
    }
    /// Adds text in a frame of Zstandard that stores it.
    FatBinaryWriter& add_zstd(int target, const std::string& text) {
        return add(ptx, target, zstd_frame(text), plain | zstd, text.size());
    }

    std::string finish() const {
        std::string header("\x50\xed\x55\xba\1\0\x10\0", 8);
        header.resize(16);
        put(header, 8, std::uint64_t{entries_.size()});
        return header + entries_;
    }

    /// Writes literals, and each run of one character as one literal and a repetition of it.
    static std::string lz4_block(std::string_view text) {
        constexpr std::size_t min_run = 8;
        constexpr std::size_t literals_at_end = 5;
        std::string block;
        std::size_t begin = 0;
        std::size_t at = 0;
        while (at + min_run + literals_at_end < text.size()) {
            std::size_t end = at + 1;
            while (end + literals_at_end < text.size() && text[end] == text[at]) ++end;
            if (end - at < min_run) {
                ++at;
                continue;
            }
            add_sequence(block, text.substr(begin, at + 1 - begin), end - at - 1);
            begin = at = end;
        }
        add_sequence(block, text.substr(begin), 0);
        return block;
    }

    static std::string zstd_frame(std::string_view text) {
        std::string frame("\x28\xb5\x2f\xfd\xa0", 5);  // the size of the text follows in four bytes; no checksum
        frame.resize(9);
        put(frame, 5, static_cast<std::uint32_t>(text.size()));
        constexpr std::size_t max_block = 1 << 17;
        for (std::size_t at = 0; at < text.size(); at += max_block) {
            const std::string_view part = text.substr(at, max_block);
            const std::uint32_t is_last = at + part.size() == text.size() ? 1 : 0;
            std::string header(4, '\0');
            put(header, 0, static_cast<std::uint32_t>(part.size() << 3 | is_last));
            frame.append(header, 0, 3).append(part);
        }
        return frame;
    }

private:
    template <class Number>
    static void put(std::string& bytes, std::size_t offset, Number value) {
        std::memcpy(bytes.data() + offset, &value, sizeof value);
    }
    static void add_length(std::string& block, std::size_t length) {
        if (length < 15) return;
        for (length -= 15; length >= 255; length -= 255) block += '\xff';
        block += static_cast<char>(length);
    }
    // A repetition of the last literal, or none if its length is 0.
    static void add_sequence(std::string& block, std::string_view literals, std::size_t repetition) {
        const std::size_t length = repetition != 0 ? repetition - 4 : 0;
        block += static_cast<char>(std::min<std::size_t>(literals.size(), 15) << 4 | std::min<std::size_t>(length, 15));
        add_length(block, literals.size());
        block += literals;
        if (repetition == 0) return;
        block += std::string("\1\0", 2);
        add_length(block, length);
    }

    std::string entries_;
};

}  // namespace cubind::testing
