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

/// What a call may be given: its sizes may be anything, or else it may be given memory of the program.
struct Limits {
    bool is_tame;                ///< sizes within the memory that is given
    bool may_be_any_address;     ///< whether device addresses may be made up: a copy would take them for the host's
};

/// Makes the arguments of one call. Each object and array is an allocation of exactly its size, which ends with this: reading
/// beyond it, or later, is found.
class Arguments {
public:
    Arguments(Choices& choices, const Pools& pools, Limits limits) : choices_(choices), pools_(pools), limits_(limits) {}

    /// Zero bytes that live as long as this.
    std::byte* allocate(std::size_t bytes);
    std::byte* copy_of(const void* data, std::size_t bytes);
    std::byte* c_string(const std::string& text) { return copy_of(text.c_str(), text.size() + 1); }

    /// Writes a random value; numbers up to `most`, unless that is 0.
    void fill(std::byte* at, const Type& type, std::size_t most = 0);
    /// `count` random values, or null if there cannot be so many.
    std::byte* array(const Type& element, std::uint64_t count, bool is_filled);
    /// Bytes of the program, `size` at least; null where it has not so many.
    std::byte* bytes(std::uint64_t size);

    std::byte* kernel_arguments();
    std::byte* kernel_extra();
    /// An address of memory of the driver or of the program.
    std::uint64_t address();

private:
    std::uint64_t number(std::size_t size, std::size_t most);
    std::uint64_t handle(const Type& type);
    void fill_record(std::byte* record, const Type& type);
    void fill_pointer(std::byte* record, const Field& field);

    Choices& choices_;
    const Pools& pools_;
    const Limits limits_;
    std::vector<std::unique_ptr<std::byte[]>> allocations_;
    int depth_ = 0;
};

/// An unsigned number of 1, 2, 4 or 8 bytes.
std::uint64_t read_number(const std::byte* at, std::size_t size);
void write_number(std::byte* at, std::size_t size, std::uint64_t value);

/// Whether the tag of a field, if it has one, says that it is there; `lot` decides where nothing tells.
bool is_present(const std::byte* record, const Field& field, std::uint64_t lot);

}  // namespace cubind::fuzz
