// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/driver/types.hpp>
#include <cubind/interop/detail/egl_connection.hpp>

#include <memory>
#include <utility>

#include "device/context_object.hpp"

namespace CUBIND_NAMESPACE::detail {

/// The connection of a consumer or a producer to a stream of EGL. Acquired frames retain it.
class EglConnection final : public ContextObject {
public:
    EglConnection(ContextRef context, Destroy disconnect, const char* action) : ContextObject(context, disconnect, action) {}

    /// Takes ownership of the connection.
    static EglConnectionOwner own(std::shared_ptr<EglConnection> state, driver::CUeglStreamConnection handle) noexcept {
        state->connection_ = handle;
        return EglConnectionOwner(ContextObject::own(std::move(state), reinterpret_cast<unsigned long long>(handle)));
    }

    driver::CUeglStreamConnection handle() const noexcept { return connection_; }

private:
    driver::CUeglStreamConnection connection_ = nullptr;
};

/// Refuses a null stream. `class_name` is that of the object that is created.
void check_egl_stream(driver::EGLStreamKHR stream, const char* class_name);

/// Returns the connection of an owner. Throws std::invalid_argument if it is empty.
[[nodiscard]] EglConnection& connection_of(const EglConnectionOwner& owner, const char* class_name);

/// Drops the reference of the owner, which is empty afterwards. Throws Error if the driver cannot disconnect.
void close_connection(EglConnectionOwner& owner);

}  // namespace CUBIND_NAMESPACE::detail
