// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/driver/types.hpp>

#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

#include "objects/context/context.hpp"
#include "objects/stream/stream.hpp"

namespace CUBIND_NAMESPACE::sim {

/// A device and resources, from which programs create green contexts.
struct ResourceDescriptor {
    ResourceDescriptor(driver::CUdevResourceDesc own_handle, driver::CUdevice own_device,
                       std::vector<driver::CUdevResource> own_resources)
        : handle(own_handle), device(own_device), resources(std::move(own_resources)) {}

    const driver::CUdevResourceDesc handle;
    const driver::CUdevice device;
    const std::vector<driver::CUdevResource> resources;
};

/// A green context: streams of the primary context that have part of the device's resources. Kernels run as in any other stream.
/// Thread-safe.
class GreenContext {
public:
    GreenContext(driver::CUgreenCtx own_handle, std::shared_ptr<Context> own_context,
                 std::vector<driver::CUdevResource> own_resources)
        : handle(own_handle),
          view(new_handle<driver::CUcontext>()),
          context(std::move(own_context)),
          id(new_handle_value() / 16),
          resources(std::move(own_resources)),
          events(std::make_shared<Stream>(nullptr, context, context->device, driver::CU_STREAM_NON_BLOCKING, 0)) {
        context->order.add(events);
    }

    bool is_alive() const noexcept { return alive_.load(std::memory_order_acquire); }
    /// Makes it and its streams unusable. Their work is still performed. Returns false if it had ended before.
    bool end() {
        if (!alive_.exchange(false, std::memory_order_acq_rel)) return false;
        context->order.remove(*events);
        return true;
    }

    /// Makes streams that are created later wait for the ticket.
    void add_awaited(Ticket ticket) {
        const std::lock_guard lock(mutex_);
        std::erase_if(awaited_, [](const Ticket& each) { return each.is_done(); });
        awaited_.push_back(std::move(ticket));
    }
    /// Returns the tickets that a new stream waits for.
    std::vector<Ticket> awaited() const {
        const std::lock_guard lock(mutex_);
        return awaited_;
    }

    const driver::CUgreenCtx handle;
    const driver::CUcontext view;            ///< its handle as a context
    const std::shared_ptr<Context> context;  ///< the primary context
    const unsigned long long id;
    const std::vector<driver::CUdevResource> resources;
    const std::shared_ptr<Stream> events;  ///< performs the records of events of the whole green context

private:
    std::atomic<bool> alive_{true};
    mutable std::mutex mutex_;
    std::vector<Ticket> awaited_;
};

}  // namespace CUBIND_NAMESPACE::sim
