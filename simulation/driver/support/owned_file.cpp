// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "support/owned_file.hpp"

#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace CUBIND_NAMESPACE::sim {

OwnedFile::OwnedFile(int descriptor) noexcept : descriptor_(descriptor) {
    struct stat status {};
    if (descriptor < 0 || ::fstat(descriptor, &status) != 0) return;
    device_ = status.st_dev;
    number_ = status.st_ino;
}

OwnedFile::OwnedFile(OwnedFile&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      is_owner_(other.is_owner_),
      device_(other.device_),
      number_(other.number_) {}

OwnedFile::~OwnedFile() {
    if (is_owner_ && descriptor() >= 0) ::close(descriptor_);
}

int OwnedFile::descriptor() const noexcept {
    struct stat status {};
    if (descriptor_ < 0 || ::fstat(descriptor_, &status) != 0) return -1;
    return status.st_dev == device_ && status.st_ino == number_ ? descriptor_ : -1;
}

}  // namespace CUBIND_NAMESPACE::sim
