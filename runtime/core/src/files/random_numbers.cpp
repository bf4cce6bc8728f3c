// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "files/random_numbers.hpp"

#include <span>
#include <system_error>

#include "files/hash.hpp"
#include "platform/random.hpp"

namespace CUBIND_NAMESPACE::detail {
namespace {

void fill(std::span<std::byte> bytes, const char* failure) {
    const int error = fill_randomly(bytes.data(), bytes.size());
    if (error != 0) throw std::system_error(error, std::generic_category(), failure);
}

}  // namespace

std::string random_digits() {
    std::array<std::byte, random_digit_count / 2> bytes;
    fill(bytes, "cannot create the name of a temporary file: there are no random numbers");
    return hexadecimal(bytes);
}

std::array<std::uint64_t, 2> random_id() {
    std::array<std::uint64_t, 2> id{};
    fill(std::as_writable_bytes(std::span(id)), "cannot share memory with other processes: there are no random numbers");
    return id;
}

}  // namespace CUBIND_NAMESPACE::detail
