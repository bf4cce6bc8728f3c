// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "memory/used_memory.hpp"

#include <algorithm>
#include <tuple>

#include "errors/misuse.hpp"
#include "memory/refusals.hpp"

namespace CUBIND_NAMESPACE::detail {

std::string UsedMemory::describe(const char* what) const {
    const std::string name = concat(is_destination ? "the destination" : "the source", " of ", what, " ", piece);
    if (array != nullptr) return concat(name, ", a part of an array");
    return concat(name, ", ", height * depth > 1 ? "rows within " : "", bytes_at(end - begin, begin));
}

namespace {

// Returns whether a row of linear memory that begins at the address overlaps a row of `other`. Rows of one box do not overlap
// each other, so that only the last row that begins before the end can overlap.
bool has_row_at(const UsedMemory& other, std::size_t address, std::size_t width) {
    const std::size_t last = address + width - 1;
    if (last < other.begin) return false;
    const std::size_t offset = last - other.begin;
    const std::size_t slice = std::min(offset / other.slice_pitch, other.depth - 1);
    const std::size_t row = std::min((offset - slice * other.slice_pitch) / other.pitch, other.height - 1);
    return other.begin + slice * other.slice_pitch + row * other.pitch + other.width > address;
}

bool have_common_rows(const UsedMemory& left, const UsedMemory& right) {
    const bool has_fewer = left.height * left.depth <= right.height * right.depth;
    const UsedMemory& walked = has_fewer ? left : right;
    const UsedMemory& other = has_fewer ? right : left;
    for (std::size_t z = 0; z < walked.depth; ++z) {
        for (std::size_t y = 0; y < walked.height; ++y) {
            const std::size_t row = walked.begin + z * walked.slice_pitch + y * walked.pitch;
            if (has_row_at(other, row, walked.width)) return true;
        }
    }
    return false;
}

// `left` begins before the end of `right`, and the other way around.
bool overlap(const UsedMemory& left, const UsedMemory& right) {
    if (left.array == nullptr) return have_common_rows(left, right);
    const auto intersect = [](std::size_t a, std::size_t a_size, std::size_t b, std::size_t b_size) {
        return a < b + b_size && b < a + a_size;
    };
    return intersect(left.x, left.width, right.x, right.width) && intersect(left.y, left.height, right.y, right.height);
}

/// Uses that other uses are compared with, in order of their beginnings.
class OpenUses {
public:
    void add(const UsedMemory& use) { open_.push_back(&use); }
    const UsedMemory* find(const UsedMemory& next) {
        std::erase_if(open_, [&](const UsedMemory* each) { return each->array != next.array || each->end <= next.begin; });
        const auto found = std::find_if(open_.begin(), open_.end(), [&](const UsedMemory* each) { return overlap(*each, next); });
        return found != open_.end() ? *found : nullptr;
    }

private:
    std::vector<const UsedMemory*> open_;
};

}  // namespace

std::optional<std::pair<UsedMemory, UsedMemory>> find_conflict(std::vector<UsedMemory> uses) {
    std::sort(uses.begin(), uses.end(), [](const UsedMemory& left, const UsedMemory& right) {
        return std::tuple(left.array, left.begin) < std::tuple(right.array, right.begin);
    });
    OpenUses sources;
    OpenUses destinations;
    for (const UsedMemory& each : uses) {
        const UsedMemory* other = destinations.find(each);
        if (other == nullptr && each.is_destination) other = sources.find(each);
        if (other != nullptr) return std::pair(each, *other);
        (each.is_destination ? destinations : sources).add(each);
    }
    return std::nullopt;
}

}  // namespace CUBIND_NAMESPACE::detail
