// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/stream/event.hpp>
#include <cubind/core/stream/stream.hpp>
#include <cubind/driver/types.hpp>

#include <memory>

namespace CUBIND_NAMESPACE::detail {

/// Is told when submitted work has ended.
class CUBIND_EXPORT WorkObserver {
public:
    WorkObserver(const WorkObserver&) = delete;
    WorkObserver& operator=(const WorkObserver&) = delete;
    virtual ~WorkObserver() = default;

    /// Receives the status of the work, once: on a thread of the driver, or in observe(). Must neither call CUDA nor block.
    virtual void on_end(driver::CUresult status) noexcept = 0;

protected:
    WorkObserver() = default;
};

/// Tells the observer when the work that was submitted to the stream so far has ended, successfully or not. The observer is
/// destroyed later, where CUDA may be called. If this throws, the observer is destroyed without a call (cuStreamAddCallback).
CUBIND_EXPORT void observe(StreamRef stream, std::unique_ptr<WorkObserver> observer);
/// Tells the observer when the latest record of the event is complete. If it is complete already, tells it at once. Otherwise
/// uses a stream of the current context (cuEventQuery, cuStreamWaitEvent, cuStreamAddCallback).
CUBIND_EXPORT void observe(EventRef event, std::unique_ptr<WorkObserver> observer);

/// Throws the Error for work that has ended with this status.
[[noreturn]] CUBIND_EXPORT void throw_failure_of_work(driver::CUresult status);

}  // namespace CUBIND_NAMESPACE::detail
