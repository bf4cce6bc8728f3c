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

}  // namespace CUBIND_NAMESPACE::nccl
