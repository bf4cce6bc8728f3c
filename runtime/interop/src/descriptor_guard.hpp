// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/memory/file_descriptor.hpp>

#include "platform/file.hpp"

namespace CUBIND_NAMESPACE::detail {

/// Gives up a descriptor that the driver has closed although it refused the file, as driver 580 does with some files. Otherwise
/// it would be closed a second time, and might then be another file.
class DescriptorGuard {
public:
    explicit DescriptorGuard(FileDescriptor& descriptor)
        : descriptor_(descriptor), is_open_(status_of_file(descriptor.native_handle(), file_) == 0) {}
    DescriptorGuard(const DescriptorGuard&) = delete;
    DescriptorGuard& operator=(const DescriptorGuard&) = delete;
    ~DescriptorGuard() {
        if (descriptor_.is_closed() || !is_open_) return;
        FileStatus now;
        const bool is_same = status_of_file(descriptor_.native_handle(), now) == 0 && now.is_same_file(file_);
        if (!is_same) (void)descriptor_.release();
    }

private:
    FileDescriptor& descriptor_;
    FileStatus file_;
    bool is_open_;
};

}  // namespace CUBIND_NAMESPACE::detail
