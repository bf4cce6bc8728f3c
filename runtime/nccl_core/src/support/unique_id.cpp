// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/nccl/communicators.hpp>
#include <cubind/nccl_core/unique_id.hpp>

#include <cstring>

#include "support/checked.hpp"

namespace CUBIND_NAMESPACE::nccl {

UniqueId::UniqueId(std::span<const std::byte, size> bytes) noexcept {
    std::memcpy(native_.internal, bytes.data(), size);
}

UniqueId UniqueId::create() {
    return UniqueId(detail::checked(ncclGetUniqueId(), {"UniqueId::create"}));
}

UniqueId UniqueId::exchange(const Bootstrap& bootstrap, std::string_view device_uuid, std::chrono::milliseconds timeout) {
    const auto bytes_of_new_id = [] {
        Bootstrap::Id bytes;
        std::memcpy(bytes.data(), create().native_.internal, size);
        return bytes;
    };
    return UniqueId(bootstrap.exchange(bytes_of_new_id, device_uuid, timeout));
}

}  // namespace CUBIND_NAMESPACE::nccl
