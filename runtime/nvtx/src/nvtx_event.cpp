// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "nvtx_event.hpp"

namespace CUBIND_NAMESPACE::detail {

NvtxEvent nvtx_event(NvtxMessage message, const NvtxAttributes& attributes) noexcept {
    NvtxEvent event;
    event.category = attributes.category;
    event.color_kind = attributes.color ? 1 : 0;
    event.color = attributes.color.value_or(0);
    if (attributes.payload) {
        event.payload_kind = attributes.payload->kind();
        event.payload = attributes.payload->bits();
        event.payload_count = attributes.payload->is_record() ? 1 : 0;
    }
    event.message_kind = message.kind();
    event.message = message.text();
    return event;
}

}  // namespace CUBIND_NAMESPACE::detail
