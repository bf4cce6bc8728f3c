// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "files/random_numbers.hpp"

#include <cerrno>
#include <span>
#include <sys/random.h>
#include <system_error>

#include "files/hash.hpp"

namespace CUBIND_NAMESPACE::detail {
namespace {

void fill_randomly(std::span<std::byte> bytes, const char* failure) {
    if (::getentropy(bytes.data(), bytes.size()) != 0) throw std::system_error(errno, std::generic_category(), failure);
}

}  // namespace

std::string random_digits() {
    std::array<std::byte, random_digit_count / 2> bytes;
    fill_randomly(bytes, "cannot create the name of a temporary file: there are no random numbers");
    return hexadecimal(bytes);
}

std::array<std::uint64_t, 2> random_id() {
    std::array<std::uint64_t, 2> id{};
    fill_randomly(std::as_writable_bytes(std::span(id)), "cannot share memory with other processes: there are no random numbers");
    return id;
}

}  // namespace CUBIND_NAMESPACE::detail
