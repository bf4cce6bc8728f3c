// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "platform/random.hpp"

#include <cerrno>
#include <sys/random.h>
#include <unistd.h>

namespace CUBIND_NAMESPACE::detail {

int fill_randomly(void* data, std::size_t size) noexcept {
    return ::getentropy(data, size) == 0 ? 0 : errno;
}

}  // namespace CUBIND_NAMESPACE::detail
