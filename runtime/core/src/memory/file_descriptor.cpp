// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/memory/file_descriptor.hpp>

#include <cerrno>

#include "errors/misuse.hpp"
#include "platform/descriptor.hpp"

namespace CUBIND_NAMESPACE {

FileDescriptor FileDescriptor::from_native_handle(int number) {
    if (number < 0) detail::throw_misuse("the number ", number, " is not a file descriptor");
    FileDescriptor owner;
    owner.number_ = number;
    return owner;
}

int FileDescriptor::native_handle() const {
    if (number_ < 0) detail::throw_misuse("a FileDescriptor cannot be used after it was moved from, closed or released");
    return number_;
}

void FileDescriptor::close() noexcept {
    const int error = errno;  // closing does not change it
    if (number_ >= 0) detail::close_descriptor(std::exchange(number_, -1));
    errno = error;
}

}  // namespace CUBIND_NAMESPACE
