// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/stream/stream.hpp>
#include <cubind/detail/host_function.hpp>

#include <memory>

#include "lifetime/deferred.hpp"

namespace CUBIND_NAMESPACE::detail {

/// Owns a host function. A stream calls it once and then destroys it; a graph calls it at each launch.
class HostCall : public Deferred {
public:
    explicit HostCall(HostFunction function) noexcept : function_(function) {}
    ~HostCall() override { function_.destroy(function_.callable); }

    /// Returns the owner of the function. Takes ownership of the function even if it throws.
    static std::unique_ptr<HostCall> own(HostFunction function);

    static void call(void* self) noexcept {
        const HostFunctionScope scope;
        const HostFunction& function = static_cast<HostCall*>(self)->function_;
        function.invoke(function.callable);
    }
    static void call_once(void* self) noexcept {
        call(self);
        destroy_later(static_cast<HostCall*>(self));
    }

private:
    HostFunction function_;
};

}  // namespace CUBIND_NAMESPACE::detail
