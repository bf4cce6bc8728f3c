// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/nvtx/nvtx_domain.hpp>

#include "platform/nvtx_tool.hpp"

namespace CUBIND_NAMESPACE::detail {

/// Returns the event with these properties. It refers to the attributes.
NvtxEvent nvtx_event(NvtxMessage message, const NvtxAttributes& attributes) noexcept;

}  // namespace CUBIND_NAMESPACE::detail
