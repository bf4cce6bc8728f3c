// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "support/owned_file.hpp"

#include <utility>

#include "platform/file.hpp"

namespace CUBIND_NAMESPACE::sim {

OwnedFile::OwnedFile(int descriptor) noexcept : descriptor_(descriptor) {
    cubind::detail::FileStatus status;
    if (descriptor < 0 || cubind::detail::status_of_file(descriptor, status) != 0) return;
    device_ = status.device;
    number_ = status.number;
}

OwnedFile::OwnedFile(OwnedFile&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      is_owner_(other.is_owner_),
      device_(other.device_),
      number_(other.number_) {}

OwnedFile::~OwnedFile() {
    if (is_owner_ && descriptor() >= 0) cubind::detail::close_descriptor(descriptor_);
}

int OwnedFile::descriptor() const noexcept {
    cubind::detail::FileStatus status;
    if (descriptor_ < 0 || cubind::detail::status_of_file(descriptor_, status) != 0) return -1;
    return status.device == device_ && status.number == number_ ? descriptor_ : -1;
}

}  // namespace CUBIND_NAMESPACE::sim
