// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "memory/copy_attributes.hpp"

#include <cubind/driver/memory.hpp>
#include <cubind/driver/stream.hpp>

#include <optional>

#include "calls/driver.hpp"
#include "memory/operand_checks.hpp"
#include "memory/single_copy.hpp"
#include "stream/stream_context.hpp"

namespace CUBIND_NAMESPACE::detail {

driver::CUmemcpyAttributes attributes_of(const CopyOptions& options) {
    driver::CUmemcpyAttributes attributes{};
    switch (options.source_access_order) {
        case SourceAccessOrder::stream:
        case SourceAccessOrder::during_api_call:
        case SourceAccessOrder::any:
            attributes.srcAccessOrder = static_cast<driver::CUmemcpySrcAccessOrder>(options.source_access_order);
            break;
        default:
            throw_misuse("there is no SourceAccessOrder with the value ", static_cast<int>(options.source_access_order));
    }
    if (options.source_location_hint) attributes.srcLocHint = options.source_location_hint->native();
    if (options.destination_location_hint) attributes.dstLocHint = options.destination_location_hint->native();
    if (options.prefer_overlap_with_compute) attributes.flags = driver::CU_MEMCPY_FLAG_PREFER_OVERLAP_WITH_COMPUTE;
    return attributes;
}

CopyOptions options_of(const driver::CUmemcpyAttributes& attributes) {
    const auto hint_of = [](const driver::CUmemLocation& hint) {
        const bool is_given = hint.type != driver::CU_MEM_LOCATION_TYPE_INVALID;
        return is_given ? std::optional(MemoryLocation(hint)) : std::nullopt;
    };
    return {.source_access_order = static_cast<SourceAccessOrder>(attributes.srcAccessOrder),
            .source_location_hint = hint_of(attributes.srcLocHint),
            .destination_location_hint = hint_of(attributes.dstLocHint),
            .prefer_overlap_with_compute = (attributes.flags & driver::CU_MEMCPY_FLAG_PREFER_OVERLAP_WITH_COMPUTE) != 0};
}

// ---- batches of the driver -----------------------------------------------------------------------------------------------

void AttributeBatch::add(const CopyOperands& operands, const CopyOptions& options) {
    if (is_empty() || options != last_) {
        attributes_.push_back(attributes_of(options));
        first_.push_back(sizes_.size());
        last_ = options;
    }
    destinations_.push_back(operands.destination.address);
    sources_.push_back(operands.source.address);
    sizes_.push_back(operands.source.size);
}

Result<driver::CUresult> AttributeBatch::submit(StreamRef stream) {
    const driver::CUstream handle = StreamAccess::handle(stream);
    const auto submitted = driver::cuMemcpyBatchAsync(destinations_.data(), sources_.data(), sizes_.data(), sizes_.size(),
                                                      attributes_.data(), first_.data(), first_.size(), handle);
    if (!is_missing(submitted)) return submitted;
    // CUDA 12.8 and 12.9
    const auto [status, failed] =
        driver::cuMemcpyBatchAsync_v1(destinations_.data(), sources_.data(), sizes_.data(), sizes_.size(), attributes_.data(),
                                      first_.data(), first_.size(), handle);
    (void)failed;
    return {status};
}

// ---- streams without attributes ------------------------------------------------------------------------------------------

AttributeObstacle attribute_obstacle(StreamRef stream) {
    if (is_legacy_default(stream)) return AttributeObstacle::legacy_default;
    if (!StreamAccess::may_be_capturing(stream)) return AttributeObstacle::none;
    const auto capturing = driver::cuStreamIsCapturing(StreamAccess::handle(stream));
    if (!capturing.ok()) throw_with_advice({capturing.status}, advice_on_context(capturing.status, stream));
    return capturing.value == driver::CU_STREAM_CAPTURE_STATUS_NONE ? AttributeObstacle::none : AttributeObstacle::capture;
}

void check_order_in_capture(const CopyOptions& options, AttributeObstacle obstacle, const std::string& which) {
    if (obstacle != AttributeObstacle::capture || options.source_access_order != SourceAccessOrder::during_api_call) return;
    throw_misuse(which,
                 "SourceAccessOrder::during_api_call is not possible while the stream is captured: each launch of the graph "
                 "reads the source again; use SourceAccessOrder::stream");
}

// ---- single copies -------------------------------------------------------------------------------------------------------

namespace {

// Submits the copy with its attributes, with the newest function that the driver has.
Result<driver::CUresult> submit_with_attributes(StreamRef stream, const CopyOperands& operands, const CopyOptions& options) {
    const auto& [destination, source] = operands;
    driver::CUmemcpyAttributes attributes = attributes_of(options);
    const auto copied = driver::cuMemcpyWithAttributesAsync(destination.address, source.address, source.size, &attributes,
                                                            StreamAccess::handle(stream));
    if (!is_missing(copied)) return copied;
    AttributeBatch batch;
    batch.add(operands, options);
    return batch.submit(stream);
}

}  // namespace

void copy(StreamRef stream, const CopyOperands& operands, const CopyOptions& options) {
    (void)StreamAccess::handle(stream);  // throws for an empty stream
    (void)attributes_of(options);        // throws for an access order that does not exist
    check_sizes(operands);
    if (options == CopyOptions{}) return copy(stream, operands);
    if (operands.source.size == 0) return;
    const AttributeObstacle obstacle = attribute_obstacle(stream);
    check_order_in_capture(options, obstacle);
    if (obstacle == AttributeObstacle::none) {
        const StreamScope scope(stream);
        if (are_within_reach(stream, operands)) {
            const auto copied = submit_with_attributes(stream, operands, options);
            if (copied.ok()) return;
            if (!is_missing(copied)) throw_not_copied(copied, stream, operands);
        }
    }
    copy(stream, operands);
    if (options.source_access_order == SourceAccessOrder::during_api_call) stream.synchronize();
}

}  // namespace CUBIND_NAMESPACE::detail
