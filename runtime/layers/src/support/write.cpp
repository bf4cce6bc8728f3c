// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "support/write.hpp"

#include <cerrno>
#include <cstring>

#include "platform/file.hpp"

namespace CUBIND_NAMESPACE::layers {

detail::Written write_text(int file, std::string_view text) noexcept {
    return detail::write_all(file, text.data(), text.size());
}

detail::Descriptor open_to_append(const char* path) noexcept {
    return detail::open_to_append(path, 0666);
}

std::string open_problem(int error) {
    return error == ENXIO ? "no process reads it; start the reader first" : std::strerror(error);
}

void print_error(std::string_view text) noexcept {
    write_text(detail::standard_error, text);
}

}  // namespace CUBIND_NAMESPACE::layers
