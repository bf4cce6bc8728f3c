// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/nvtx/nvtx_range.hpp>

#include <utility>

#include "nvtx_event.hpp"

namespace CUBIND_NAMESPACE {

NvtxRange::NvtxRange(NvtxDomainRef domain, NvtxMessage message, const NvtxAttributes& attributes) noexcept : domain_(domain) {
    const auto push = detail::nvtx_tool().push_range;
    if (push == nullptr) return;
    const detail::NvtxEvent event = detail::nvtx_event(message, attributes);
    (void)push(domain.native_handle(), &event);
}

NvtxRange::~NvtxRange() {
    if (const auto pop = detail::nvtx_tool().pop_range) (void)pop(domain_.native_handle());
}

NvtxProcessRange::NvtxProcessRange(NvtxDomainRef domain, NvtxMessage message, const NvtxAttributes& attributes) noexcept
    : domain_(domain) {
    const auto start = detail::nvtx_tool().start_range;
    if (start == nullptr) return;
    const detail::NvtxEvent event = detail::nvtx_event(message, attributes);
    id_ = start(domain.native_handle(), &event);
    is_running_ = true;
}

NvtxProcessRange::NvtxProcessRange(NvtxProcessRange&& other) noexcept
    : domain_(other.domain_), id_(other.id_), is_running_(std::exchange(other.is_running_, false)) {}

NvtxProcessRange& NvtxProcessRange::operator=(NvtxProcessRange&& other) noexcept {
    if (this == &other) return *this;
    end();
    domain_ = other.domain_;
    id_ = other.id_;
    is_running_ = std::exchange(other.is_running_, false);
    return *this;
}

void NvtxProcessRange::end() noexcept {
    if (!std::exchange(is_running_, false)) return;
    if (const auto end = detail::nvtx_tool().end_range) end(domain_.native_handle(), id_);
}

}  // namespace CUBIND_NAMESPACE
