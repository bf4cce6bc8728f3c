// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/nvtx/nvtx_counter.hpp>

#include <bit>

#include "errors/misuse.hpp"
#include "platform/nvtx_tool.hpp"

namespace CUBIND_NAMESPACE {

namespace {

template <class Value>
constexpr bool is_double = std::is_same_v<Value, double>;

// Tells the tool of the counter and returns its number.
template <class Value>
std::uint64_t create(NvtxDomainRef domain, const char* name, const NvtxCounterOptions<Value>& options) {
    const auto create = detail::nvtx_counter_tool().create;
    if (create == nullptr) return 0;
    detail::NvtxCounterLimits limits;
    limits.unit = options.unit;
    limits.flags = (options.minimum ? 4u : 0u) | (options.maximum ? 8u : 0u);
    if (limits.flags != 0) limits.limit_kind = is_double<Value> ? 3 : 1;
    limits.minimum = std::bit_cast<std::uint64_t>(options.minimum.value_or(Value{}));
    limits.maximum = std::bit_cast<std::uint64_t>(options.maximum.value_or(Value{}));
    detail::NvtxCounterAttributes attributes;
    attributes.value_kind = is_double<Value> ? 20 : 17;
    attributes.name = name;
    attributes.description = options.description;
    attributes.limits = &limits;
    return create(domain.native_handle(), &attributes);
}

}  // namespace

template <class Value>
NvtxCounter<Value>::NvtxCounter(NvtxDomainRef domain, const char* name, const NvtxCounterOptions<Value>& options)
    : domain_(domain) {
    if (name == nullptr) detail::throw_misuse("the name of an NvtxCounter is null");
    if (options.minimum && options.maximum && !(*options.minimum <= *options.maximum)) {
        detail::throw_misuse("the minimum ", *options.minimum, " of the NvtxCounter \"", name, "\" is above its maximum ",
                             *options.maximum);
    }
    id_ = create(domain, name, options);
}

template <class Value>
void NvtxCounter<Value>::sample(Value value) const noexcept {
    const detail::NvtxCounterTool& tool = detail::nvtx_counter_tool();
    if constexpr (is_double<Value>) {
        if (tool.sample_double != nullptr) tool.sample_double(domain_.native_handle(), id_, value);
    } else {
        if (tool.sample_integer != nullptr) tool.sample_integer(domain_.native_handle(), id_, value);
    }
}

template <class Value>
void NvtxCounter<Value>::sample_unavailable() const noexcept {
    constexpr std::uint8_t unavailable = 2;
    if (const auto sample = detail::nvtx_counter_tool().sample_no_value) sample(domain_.native_handle(), id_, unavailable);
}

template class NvtxCounter<std::int64_t>;
template class NvtxCounter<double>;

}  // namespace CUBIND_NAMESPACE
