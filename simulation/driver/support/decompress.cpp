// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "support/decompress.hpp"

#include <algorithm>
#include <cstddef>

#include "platform/dynamic_library.hpp"

namespace CUBIND_NAMESPACE::sim {

namespace {

/// Reads the fields of an LZ4 block. After a read beyond its end, is_damaged() is true and all fields are 0.
class BlockReader {
public:
    explicit BlockReader(std::string_view block) : rest_(block) {}

    bool is_damaged() const noexcept { return is_damaged_; }
    bool is_at_end() const noexcept { return rest_.empty(); }

    std::size_t byte() noexcept {
        if (rest_.empty()) is_damaged_ = true;
        if (is_damaged_) return 0;
        const auto value = static_cast<unsigned char>(rest_.front());
        rest_.remove_prefix(1);
        return value;
    }
    /// Reads a length: four bits, and further bytes if all four are set.
    std::size_t length(std::size_t four_bits) noexcept {
        constexpr std::size_t has_more = 15;
        std::size_t sum = four_bits;
        for (std::size_t last = four_bits == has_more ? 255 : 0; last == 255;) {
            last = byte();
            sum += last;
        }
        return sum;
    }
    std::string_view take(std::size_t count) noexcept {
        if (count > rest_.size()) is_damaged_ = true;
        if (is_damaged_) return {};
        const std::string_view taken = rest_.substr(0, count);
        rest_.remove_prefix(count);
        return taken;
    }

private:
    std::string_view rest_;
    bool is_damaged_ = false;
};

using ZstdDecompress = std::size_t (*)(void* output, std::size_t capacity, const void* frame, std::size_t size);

ZstdDecompress zstd() noexcept {
    static const ZstdDecompress function = [] {
        void* const library = cubind::detail::open_library("libzstd.so.1");
        void* const found = library != nullptr ? cubind::detail::find_symbol(library, "ZSTD_decompress") : nullptr;
        return reinterpret_cast<ZstdDecompress>(found);
    }();
    return function;
}

}  // namespace

// Each sequence consists of bytes to copy from the block, and a distance back in the output with the number of bytes to repeat
// from there. The last sequence has no distance.
bool decompress_lz4(std::string_view block, std::string& output) noexcept {
    constexpr std::size_t min_repeat = 4;
    BlockReader reader(block);
    std::size_t end = 0;
    for (;;) {
        const std::size_t token = reader.byte();
        const std::string_view literals = reader.take(reader.length(token >> 4));
        if (reader.is_damaged() || literals.size() > output.size() - end) return false;
        literals.copy(output.data() + end, literals.size());
        end += literals.size();
        if (reader.is_at_end()) return end == output.size();
        const std::size_t low = reader.byte();
        const std::size_t distance = low | reader.byte() << 8;
        const std::size_t count = reader.length(token & 15) + min_repeat;
        if (reader.is_damaged() || distance == 0 || distance > end || count > output.size() - end) return false;
        for (const std::size_t stop = end + count; end < stop; ++end) output[end] = output[end - distance];
    }
}

bool has_zstd() noexcept {
    return zstd() != nullptr;
}

bool decompress_zstd(std::string_view frame, std::string& output) noexcept {
    return zstd()(output.data(), output.size(), frame.data(), frame.size()) == output.size();
}

}  // namespace CUBIND_NAMESPACE::sim
