// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/driver/types.hpp>

#include <string>
#include <thread>

namespace CUBIND_NAMESPACE::detail {

/// A GraphBuilder's capture of a stream, which messages can name until end(). Thread-safe.
class RunningCapture {
public:
    /// Begins in the calling thread.
    RunningCapture(driver::CUstream own_stream, driver::CUcontext own_context);
    RunningCapture(const RunningCapture&) = delete;
    RunningCapture& operator=(const RunningCapture&) = delete;
    ~RunningCapture() { end(); }

    void end() noexcept;

    const driver::CUstream stream;
    const driver::CUcontext context;
    const std::thread::id thread = std::this_thread::get_id();
};

/// Returns a clause with a stream of the context that is being captured and the thread that does it, such as "another thread
/// captures the stream 0x7f00 with a GraphBuilder", or one without a name if other code captures.
std::string describe_capture(driver::CUcontext context);

}  // namespace CUBIND_NAMESPACE::detail
