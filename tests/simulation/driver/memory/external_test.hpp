// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "sim_test.hpp"

namespace cubind::testing {

/// Returns a descriptor of an anonymous file of `size` bytes, which can be sealed unless `flags` say otherwise.
inline int create_file(std::size_t size, unsigned flags = MFD_ALLOW_SEALING) {
    const int file = memfd_create("cubind-test", MFD_CLOEXEC | flags);
    EXPECT_EQ(ftruncate(file, static_cast<off_t>(size)), 0);
    return file;
}

inline bool is_open(int descriptor) {
    return fcntl(descriptor, F_GETFD) >= 0;
}

}  // namespace cubind::testing
