// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/nvtx/nvtx_domain.hpp>

#include <atomic>
#include <cstdint>
#include <utility>

#include "errors/misuse.hpp"
#include "nvtx_event.hpp"

namespace CUBIND_NAMESPACE {

void NvtxDomainRef::mark(NvtxMessage message, const NvtxAttributes& attributes) const noexcept {
    const auto mark = detail::nvtx_tool().mark;
    if (mark == nullptr) return;
    const detail::NvtxEvent event = detail::nvtx_event(message, attributes);
    mark(handle_, &event);
}

NvtxString NvtxDomainRef::register_string(const char* text) const {
    if (text == nullptr) detail::throw_misuse("the text to register with NVTX is null");
    const auto register_text = detail::nvtx_tool().register_string;
    return NvtxString(register_text != nullptr ? register_text(handle_, text) : nullptr);
}

NvtxCategory NvtxDomainRef::category(const char* name) const {
    if (name == nullptr) detail::throw_misuse("the name of an NvtxCategory is null");
    static constinit std::atomic<std::uint32_t> next{65536};
    const NvtxCategory category(next.fetch_add(1, std::memory_order_relaxed));
    name_category(category, name);
    return category;
}

void NvtxDomainRef::name_category(std::uint32_t category, const char* name) const {
    if (category == 0) detail::throw_misuse("0 is no category of NVTX: it marks ranges without a category");
    if (name == nullptr) detail::throw_misuse("the name of NVTX category ", category, " is null");
    if (const auto set = detail::nvtx_tool().name_category) set(handle_, category, name);
}

NvtxDomain::NvtxDomain(const char* name) {
    if (name == nullptr) detail::throw_misuse("the name of an NvtxDomain is null");
    if (const auto create = detail::nvtx_tool().create_domain) handle_ = create(name);
}

NvtxDomain::NvtxDomain(NvtxDomain&& other) noexcept : NvtxDomainRef(std::exchange(other.handle_, nullptr)) {}

NvtxDomain& NvtxDomain::operator=(NvtxDomain&& other) noexcept {
    if (this == &other) return *this;
    std::swap(handle_, other.handle_);
    NvtxDomain destroyed(std::move(other));
    return *this;
}

NvtxDomain::~NvtxDomain() {
    if (handle_ == nullptr) return;
    if (const auto destroy = detail::nvtx_tool().destroy_domain) destroy(handle_);
}

bool has_nvtx_tool() noexcept {
    return detail::nvtx_tool().is_attached;
}

}  // namespace CUBIND_NAMESPACE
