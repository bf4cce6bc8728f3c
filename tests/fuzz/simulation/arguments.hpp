// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "choices.hpp"
#include "functions.hpp"
#include "pools.hpp"

namespace cubind::fuzz {

/// Limits of the arguments of one call. A call receives either arbitrary sizes or memory of the program, not both.
struct Limits {
    bool is_tame;             ///< sizes stay within the memory that the call receives
    bool may_be_any_address;  ///< device addresses may be invented; false for copies, which would use them as host addresses
};

/// Creates the arguments of one call. Each object and array is an allocation of exactly its size, which is freed by the
/// destructor, so that a sanitizer detects reads beyond its end and after the call.
class Arguments {
public:
    Arguments(Choices& choices, const Pools& pools, Limits limits) : choices_(choices), pools_(pools), limits_(limits) {}

    /// Returns zero bytes that live as long as this object.
    std::byte* allocate(std::size_t bytes);
    std::byte* copy_of(const void* data, std::size_t bytes);
    std::byte* c_string(const std::string& text) { return copy_of(text.c_str(), text.size() + 1); }

    /// Writes a random value. Numbers are at most `max_value`, unless it is 0.
    void fill(std::byte* at, const Type& type, std::size_t max_value = 0);
    /// Returns `count` random values, or null if `count` is too large.
    std::byte* array(const Type& element, std::uint64_t count, bool is_filled);
    /// Returns at least `size` bytes of the program, or null if it has fewer.
    std::byte* bytes(std::uint64_t size);

    std::byte* kernel_arguments();
    std::byte* kernel_extra();
    /// Returns an address in memory of the driver or of the program.
    std::uint64_t address();

private:
    std::uint64_t number(std::size_t size, std::size_t max_value);
    std::uint64_t handle(const Type& type);
    void fill_record(std::byte* record, const Type& type);
    void fill_pointer(std::byte* record, const Field& field);

    Choices& choices_;
    const Pools& pools_;
    const Limits limits_;
    std::vector<std::unique_ptr<std::byte[]>> allocations_;
    int depth_ = 0;
};

/// Reads an unsigned number of 1, 2, 4 or 8 bytes.
std::uint64_t read_number(const std::byte* at, std::size_t size);
void write_number(std::byte* at, std::size_t size, std::uint64_t value);

/// Returns whether a field is present according to its tag. `selector` selects the member of a union without a tag.
bool is_present(const std::byte* record, const Field& field, std::uint64_t selector);

}  // namespace cubind::fuzz
