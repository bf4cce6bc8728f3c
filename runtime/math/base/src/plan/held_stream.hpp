// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/stream/stream.hpp>

#include <memory>
#include <semaphore>

namespace CUBIND_NAMESPACE::math::detail {

/// Holds back the work that is submitted to a stream, so that events around several calls measure the device and not the host,
/// which takes longer to submit small work. The stream goes on after release(), the destruction, or 20 ms, in case that a call
/// waits for the stream.
class [[nodiscard]] CUBIND_EXPORT HeldStream {
public:
    explicit HeldStream(StreamRef stream);
    HeldStream(const HeldStream&) = delete;
    HeldStream& operator=(const HeldStream&) = delete;
    ~HeldStream() { release(); }

    /// Lets the work begin.
    void release() noexcept;

private:
    std::shared_ptr<std::binary_semaphore> released_;
};

}  // namespace CUBIND_NAMESPACE::math::detail
