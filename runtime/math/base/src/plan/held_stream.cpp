// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "plan/held_stream.hpp"

#include <chrono>

namespace CUBIND_NAMESPACE::math::detail {

HeldStream::HeldStream(StreamRef stream) : released_(std::make_shared<std::binary_semaphore>(0)) {
    stream.launch_host_function([released = released_] { (void)released->try_acquire_for(std::chrono::milliseconds(20)); });
}

void HeldStream::release() noexcept {
    if (released_ != nullptr) released_->release();
    released_ = nullptr;
}

}  // namespace CUBIND_NAMESPACE::math::detail
