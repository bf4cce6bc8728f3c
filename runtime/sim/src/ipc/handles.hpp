// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>

#include "machine/machine.hpp"

/// The content of an IPC handle: the machine that exported it, and the object that it refers to.
namespace CUBIND_NAMESPACE::sim {

struct SharedObject {
    std::uint64_t machine;
    std::uint64_t kind;
    std::uint64_t object;  ///< address or handle
    std::uint64_t id;      ///< ID of the allocation, to detect that it was freed
};

/// Creates an IPC handle.
template <class Handle>
Handle shared_handle(const SharedObject& content) noexcept {
    static_assert(sizeof(SharedObject) <= sizeof(Handle));
    Handle handle{};
    std::memcpy(&handle, &content, sizeof content);
    return handle;
}

/// Returns the content of an IPC handle, or nullopt if another machine exported it or it is of another kind.
template <class Handle>
std::optional<SharedObject> shared_object(const Handle& handle, std::uint64_t kind) noexcept {
    SharedObject content{};
    std::memcpy(&content, &handle, sizeof content);
    return content.machine == machine().serial && content.kind == kind ? std::optional(content) : std::nullopt;
}

}  // namespace CUBIND_NAMESPACE::sim
