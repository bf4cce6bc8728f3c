// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>

#include "machine/machine.hpp"

/// What the bytes of an IPC handle are: which machine made it, and what it stands for.
namespace cubind::sim {

struct SharedObject {
    std::uint64_t machine;
    std::uint64_t kind;
    std::uint64_t object;  ///< an address, or a handle
    std::uint64_t id;      ///< of what was there then
};

template <class Handle>
Handle shared_handle(const SharedObject& what) noexcept {
    static_assert(sizeof(SharedObject) <= sizeof(Handle));
    Handle handle{};
    std::memcpy(&handle, &what, sizeof what);
    return handle;
}

/// None where this machine did not make the handle, or made it of another kind.
template <class Handle>
std::optional<SharedObject> shared_object(const Handle& handle, std::uint64_t kind) noexcept {
    SharedObject what{};
    std::memcpy(&what, &handle, sizeof what);
    return what.machine == machine().serial && what.kind == kind ? std::optional(what) : std::nullopt;
}

}  // namespace cubind::sim
