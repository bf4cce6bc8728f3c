// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/interop/graphics_resource.hpp>

#include <atomic>
#include <memory>

#include "device/context_object.hpp"

namespace CUBIND_NAMESPACE::detail {

/// What cubind stores about a registered resource that it owns.
class GraphicsResourceState final : public ContextObject {
public:
    explicit GraphicsResourceState(ContextRef context);

    /// Takes ownership of the registration, and returns a view that has its state.
    static GraphicsResourceRef own(const std::shared_ptr<GraphicsResourceState>& state,
                                   driver::CUgraphicsResource handle) noexcept {
        GraphicsResourceRef resource(handle);
        resource.state_ = ContextObject::own(state, reinterpret_cast<unsigned long long>(handle));
        return resource;
    }

    /// Returns the state of a view, or nullptr.
    static GraphicsResourceState* of(GraphicsResourceRef resource) noexcept { return resource.state_; }

    std::atomic<bool> is_mapped{false};
};

}  // namespace CUBIND_NAMESPACE::detail
