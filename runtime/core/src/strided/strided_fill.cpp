// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/lifetime/detail/retainer.hpp>
#include <cubind/core/stream/detail/stream_access.hpp>
#include <cubind/core/strided/fill.hpp>

#include <span>

#include "errors/misuse.hpp"
#include "strided/copy_plan.hpp"

namespace CUBIND_NAMESPACE::detail {
namespace {

void check_value(const StridedView& destination, DataType type) {
    const DataType elements = destination.dtype();
    const bool is_bits = type.kind == DataTypeKind::unsigned_integer && type.size() == elements.size();
    if (type.bits == 0 || type == elements || is_bits) return;
    throw_misuse("cannot fill elements of ", to_string(elements), " with a value of ", to_string(type),
                 ": pass a value of their type, an unsigned integer of ", elements.size(), " bytes, or a std::byte");
}

// Elements of a dimension with a stride of 0 are the same element.
StridedView without_repetitions(const StridedView& view) {
    StridedView result = view;
    for (std::size_t i = view.rank(); i-- > 0;) {
        if (view.strides()[i] == 0 && view.shape()[i] > 1) result = result.select(i, 0);
    }
    return result;
}

void fill_axes(StreamRef stream, FillArguments fill, std::span<const CopyAxis> axes) {
    const bool is_plane = axes.size() == 1 && axes[0].to >= static_cast<std::int64_t>(fill.memory.size);
    if (is_plane) {
        fill.rows = static_cast<std::size_t>(axes[0].extent);
        fill.pitch = static_cast<std::size_t>(axes[0].to);
    }
    if (is_plane || axes.empty()) return detail::fill(stream, fill);
    for (std::int64_t i = 0; i < axes[0].extent; ++i) {
        fill_axes(stream, fill, axes.subspan(1));
        fill.memory.address += static_cast<driver::CUdeviceptr>(axes[0].to);
    }
}

}  // namespace

void fill_strided(StreamRef stream, const StridedView& destination, unsigned int pattern, unsigned int pattern_size,
                  DataType type) {
    (void)StreamAccess::handle(stream);  // throws for an empty stream
    check_value(destination, type);
    if (destination.is_readonly()) throw_misuse("cannot fill a read-only view");
    if (destination.size() == 0) return;
    const StridedView distinct = without_repetitions(destination);
    const CopyPlan plan = plan_of(distinct, distinct);
    if (Retainer* const retainer = StreamAccess::retainer(stream)) retainer->retain(destination.owner());
    const MemoryView row{plan.to, static_cast<std::size_t>(plan.axes.back().extent), nullptr};
    fill_axes(stream, {.memory = row, .pattern = pattern, .pattern_size = pattern_size},
              std::span(plan.axes).first(plan.axes.size() - 1));
}

}  // namespace CUBIND_NAMESPACE::detail
