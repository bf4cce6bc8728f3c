// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/copy.hpp>
#include <cubind/core/detail/retainer.hpp>
#include <cubind/core/detail/stream_access.hpp>
#include <cubind/core/strided_view.hpp>

#include <string>

#include "strided/copy_kernel.hpp"
#include "strided/copy_plan.hpp"
#include "support/misuse.hpp"

namespace CUBIND_NAMESPACE {
namespace {

using detail::CopyAxis;
using detail::throw_misuse;

// Whether a call can copy planes of these rows: rows do not overlap, and planes are a whole number of rows apart.
bool is_box(std::int64_t width, const CopyAxis& row, const CopyAxis& plane, std::int64_t CopyAxis::*side) {
    if (row.*side < width) return false;
    return plane.extent == 1 || (plane.*side % row.*side == 0 && plane.*side / row.*side >= row.extent);
}

// Throws unless kernels of the stream's device can copy the elements.
void check_kernel_access(StreamRef stream, const StridedView& destination, const StridedView& source) {
    for (const StridedView* const view : {&destination, &source}) {
        const bool is_accessible =
            view->memory_type() == MemoryType::device ? view->device() == stream.device() : view->is_device_accessible();
        if (is_accessible) continue;
        const bool is_device_memory = view->memory_type() == MemoryType::device;
        throw_misuse(
            "cannot copy a view of shape ", to_string(source.shape()), " with strides ", to_string(source.strides()),
            " to a view with strides ", to_string(destination.strides()),
            ": only a kernel copies these strides, and kernels of device ", stream.device().ordinal(), " cannot access the ",
            is_device_memory ? "device memory" : "pageable host memory", " of the ", view == &source ? "source" : "destination",
            is_device_memory ? " on device " + std::to_string(view->device()->ordinal()) : std::string(),
            "; copy by a view of memory of that device with the strides of the ", view == &source ? "source" : "destination");
    }
    for (std::size_t i = 0; i < destination.rank(); ++i) {
        if (destination.strides()[i] != 0 || destination.shape()[i] <= 1) continue;
        throw_misuse("cannot copy to a view of shape ", to_string(destination.shape()), " with strides ",
                     to_string(destination.strides()), ": a stride of 0 repeats elements");
    }
}

// Describes one side of a copy in two or three dimensions, with bytes as elements.
detail::BoxView box_of(driver::CUdeviceptr address, std::int64_t width, const CopyAxis& row, const CopyAxis& plane,
                       std::int64_t CopyAxis::*side) {
    const auto pitch = static_cast<std::size_t>(row.*side);
    return {.address = address,
            .extent = {.width = static_cast<std::size_t>(width),
                       .height = static_cast<std::size_t>(row.extent),
                       .depth = static_cast<std::size_t>(plane.extent)},
            .element_size = 1,
            .pitch = pitch,
            .rows_per_slice =
                plane.extent == 1 ? static_cast<std::size_t>(row.extent) : static_cast<std::size_t>(plane.*side) / pitch};
}

void check_operands(const StridedView& destination, const StridedView& source) {
    if (destination.dtype() != source.dtype()) {
        throw_misuse("cannot copy elements of ", to_string(source.dtype()), " to elements of ", to_string(destination.dtype()));
    }
    if (destination.shape() != source.shape()) {
        throw_misuse("cannot copy a view of shape ", to_string(source.shape()), " to a view of shape ",
                     to_string(destination.shape()), ": use slice(), reshape() or broadcast_to()");
    }
    if (destination.is_readonly()) throw_misuse("cannot copy to a read-only view");
}

void retain_owners(StreamRef stream, const StridedView& destination, const StridedView& source) {
    if (detail::Retainer* const retainer = detail::StreamAccess::retainer(stream)) {
        retainer->retain(destination.owner());
        retainer->retain(source.owner());
    }
}

}  // namespace

void copy(StreamRef stream, const StridedView& destination, const StridedView& source) {
    (void)detail::StreamAccess::handle(stream);  // throws for an empty stream
    check_operands(destination, source);
    if (destination.size() == 0) return;
    const detail::CopyPlan plan = detail::plan_of(destination, source);
    const CopyAxis bytes = plan.axes.back();
    if (plan.axes.size() == 1) {
        retain_owners(stream, destination, source);
        const auto size = static_cast<std::size_t>(bytes.extent);
        return detail::copy(stream, {.destination = {plan.to, size, nullptr}, .source = {plan.from, size, nullptr}});
    }
    const CopyAxis row = plan.axes[plan.axes.size() - 2];
    const CopyAxis plane = plan.axes.size() == 3 ? plan.axes.front() : CopyAxis{1, 0, 0};
    if (plan.axes.size() > 3 || !is_box(bytes.extent, row, plane, &CopyAxis::to) ||
        !is_box(bytes.extent, row, plane, &CopyAxis::from)) {
        check_kernel_access(stream, destination, source);
        retain_owners(stream, destination, source);
        return detail::copy_by_kernel(stream, plan);
    }
    retain_owners(stream, destination, source);
    detail::copy_box(stream, box_of(plan.to, bytes.extent, row, plane, &CopyAxis::to),
                     box_of(plan.from, bytes.extent, row, plane, &CopyAxis::from));
}

}  // namespace CUBIND_NAMESPACE
