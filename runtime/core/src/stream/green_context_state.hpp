// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/device/device.hpp>
#include <cubind/core/stream/green_context.hpp>

#include <memory>

#include "device/context_object.hpp"

namespace CUBIND_NAMESPACE::detail {

/// The reference-counted state of a green context that cubind owns. Its users are the owner and the streams in it. It ends with
/// the device's primary context.
class GreenContextState final : public ContextObject {
public:
    /// Creates a state without a green context. Retains the device's primary context.
    explicit GreenContextState(Device device);

    /// Notes that `context()` has ended, unless the green context was disowned.
    ~GreenContextState();

    /// Takes ownership of the green context, and returns a view that has its state. `context` is what cuCtxFromGreenCtx returns.
    static GreenContextRef own(std::shared_ptr<GreenContextState> state, driver::CUgreenCtx handle, ContextRef context) noexcept;
    /// Drops the reference of the owner; the green context is not destroyed.
    void disown() noexcept;
    /// Returns the state of a view, or nullptr.
    static GreenContextState* of(GreenContextRef context) noexcept { return context.state_; }
    /// Returns a view that has this state.
    GreenContextRef view() noexcept;

    Device device() const noexcept { return device_; }
    /// Returns the green context as a context.
    ContextRef context() const noexcept { return context_; }

private:
    Device device_;
    ContextRef context_;
    driver::CUgreenCtx green_ = nullptr;
};

/// A reference by which a stream retains its green context.
struct GreenContextUse {
    explicit GreenContextUse(GreenContextState& used) noexcept : state(&used), reference(used.share()) {}

    GreenContextState* state;
    std::shared_ptr<const void> reference;
};

}  // namespace CUBIND_NAMESPACE::detail
