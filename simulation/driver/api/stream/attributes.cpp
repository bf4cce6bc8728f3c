// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <simulation/functions.hpp>

#include "machine/stream_check.hpp"

namespace CUBIND_NAMESPACE::sim {

namespace {

// Checks whether streams have the attribute. All others apply to launches only.
bool is_stream_attribute(CUstreamAttrID attribute) noexcept {
    switch (attribute) {
        case CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW:
        case CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY:
        case CU_LAUNCH_ATTRIBUTE_PRIORITY:
        case CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP:
        case CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN:
            return true;
        default:
            return false;
    }
}

bool is_valid(CUstreamAttrID attribute, const CUstreamAttrValue& value) noexcept {
    if (attribute != CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY) return true;
    return value.syncPolicy >= CU_SYNC_POLICY_AUTO && value.syncPolicy <= CU_SYNC_POLICY_BLOCKING_SYNC;
}

// Returns the value of an attribute that the program has not set.
CUstreamAttrValue initial_value(CUstreamAttrID attribute, const Stream& stream) {
    CUstreamAttrValue value{};
    if (attribute == CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY) value.syncPolicy = CU_SYNC_POLICY_AUTO;
    if (attribute == CU_LAUNCH_ATTRIBUTE_PRIORITY) value.priority = stream.priority;
    return value;
}

}  // namespace

extern "C" {

CUresult sim_cuStreamGetAttribute(CUstream hStream, CUstreamAttrID attr, CUstreamAttrValue* value_out) {
    const Valid<StreamCheck> stream(hStream);
    if (!is_stream_attribute(attr)) return CUDA_ERROR_INVALID_VALUE;
    const std::lock_guard lock(stream->attributes_mutex);
    const auto set = stream->attributes.find(attr);
    return write_output(value_out, set != stream->attributes.end() ? set->second : initial_value(attr, *stream));
}

CUresult sim_cuStreamSetAttribute(CUstream hStream, CUstreamAttrID attr, const CUstreamAttrValue* value) {
    const Valid<StreamCheck> stream(hStream);
    if (!is_stream_attribute(attr) || value == nullptr || !is_valid(attr, *value)) return CUDA_ERROR_INVALID_VALUE;
    const std::lock_guard lock(stream->attributes_mutex);
    stream->attributes.insert_or_assign(attr, *value);
    return CUDA_SUCCESS;
}

CUresult sim_cuStreamCopyAttributes(CUstream dst, CUstream src) {
    const StreamCheck to(dst);
    const StreamCheck from(src);
    if (to.failed()) return to.status;
    if (from.failed()) return from.status;
    if (to.stream == from.stream) return CUDA_SUCCESS;
    if (to.context_handle() != from.context_handle()) return CUDA_ERROR_INVALID_VALUE;
    const std::scoped_lock lock(to->attributes_mutex, from->attributes_mutex);
    to->attributes = from->attributes;
    return CUDA_SUCCESS;
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim
