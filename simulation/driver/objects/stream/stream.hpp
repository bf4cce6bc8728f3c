// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/driver/types.hpp>

#include <atomic>
#include <map>
#include <memory>
#include <mutex>

#include "objects/stream/work_queue.hpp"
#include "support/registry.hpp"

namespace CUBIND_NAMESPACE::sim {

class Context;
class GreenContext;

/// Returns the number of a context.
unsigned long long id_of(const Context& context) noexcept;

/// A stream: work of one context in order. StreamOrder defines how the streams of a context wait for each other.
/// Thread-safe.
class Stream {
public:
    /// `device` is that of the context. `own_green` is null for a stream outside of green contexts.
    Stream(driver::CUstream own_handle, std::shared_ptr<Context> owner, Device& device, unsigned own_flags, int own_priority,
           std::shared_ptr<GreenContext> own_green = nullptr)
        : handle(own_handle),
          context(std::move(owner)),
          green(std::move(own_green)),
          flags(own_flags),
          priority(own_priority),
          id(new_handle_value() / 16),
          queue(std::make_shared<WorkQueue>(
              &device, WorkPlace{static_cast<std::uint32_t>(device.ordinal), static_cast<std::uint32_t>(id_of(*context)),
                                 static_cast<std::uint32_t>(id)})) {}

    /// Checks whether this stream and the legacy default stream wait for each other.
    bool is_blocking() const noexcept { return (flags & driver::CU_STREAM_NON_BLOCKING) == 0; }

    const driver::CUstream handle;
    const std::shared_ptr<Context> context;
    const std::shared_ptr<GreenContext> green;
    const unsigned flags;
    const int priority;
    const unsigned long long id;
    const std::shared_ptr<WorkQueue> queue;

    /// Whether work of the stream becomes graph nodes. For the legacy default stream: whether a stream is captured that
    /// it would wait for. Written under the lock of graphs.
    std::atomic<bool> is_captured{false};

    std::mutex attributes_mutex;
    std::map<driver::CUstreamAttrID, driver::CUstreamAttrValue> attributes;  ///< attributes that the program has set
};

}  // namespace CUBIND_NAMESPACE::sim
