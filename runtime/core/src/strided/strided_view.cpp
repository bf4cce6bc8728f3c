// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/strided/strided_view.hpp>

#include "errors/misuse.hpp"
#include "strided/layout.hpp"

namespace CUBIND_NAMESPACE {
namespace {

StridedMemory memory_of(const Buffer& buffer, DataType dtype, const Dimensions& shape, const Dimensions& strides) {
    StridedMemory memory{
        .data = reinterpret_cast<void*>(buffer.native_handle()), .dtype = dtype, .shape = shape, .strides = strides};
    if (const auto device = buffer.device()) {
        memory.memory_type = MemoryType::device;
        memory.device_ordinal = device->ordinal();
    } else if (buffer.is_managed()) {
        memory.memory_type = MemoryType::managed;
    } else if (buffer.is_device_accessible()) {
        memory.memory_type = MemoryType::host;
    }
    return memory;
}

void check_within(const Buffer& buffer, const StridedView& view) {
    if (view.size() == 0) return;
    const std::size_t size = view.dtype().size();
    const OffsetBounds range = view.offset_bounds();
    if (range.lowest >= 0 && (static_cast<std::size_t>(range.highest) + 1) * size <= buffer.size()) return;
    detail::throw_misuse("a view of shape ", to_string(view.shape()), " with strides ", to_string(view.strides()), " of ",
                         to_string(view.dtype()), " has elements from offset ", range.lowest, " to ", range.highest,
                         ", but the buffer has ", buffer.size(), " bytes, which are ", buffer.size() / size, " elements");
}

}  // namespace

StridedView::StridedView(StridedMemory memory) : StridedView(std::move(memory), false) {}

StridedView::StridedView(StridedMemory&& memory, bool is_padded) : memory_(std::move(memory)), is_padded_(is_padded) {
    detail::check_type(memory_.dtype, is_padded);
    if (memory_.strides.rank() == 0) memory_.strides = detail::row_major_strides(memory_.shape);
    const auto range = detail::check_layout(memory_.shape, memory_.strides, memory_.dtype.size());
    if (size() == 0) return;
    if (memory_.data == nullptr) {
        detail::throw_misuse("a view of shape ", to_string(memory_.shape), " has no memory: its address is nullptr");
    }
    detail::check_addresses(memory_.data, range, memory_.dtype.size());
}

StridedView::StridedView(const Buffer& buffer, DataType dtype, const Dimensions& shape, const Dimensions& strides)
    : StridedView(memory_of(buffer, dtype, shape, strides)) {
    check_within(buffer, *this);
    memory_.owner = detail::share(buffer);
}

StridedView StridedView::like_in(const Buffer& buffer, const Dimensions& strides) const {
    StridedView view(memory_of(buffer, dtype(), shape(), strides), is_padded_);
    view.memory_.owner = detail::share(buffer);
    return view;
}

StridedView StridedView::of_known_memory(StridedMemory memory) {
    const auto attributes = PointerAttributes::of(memory.data);
    memory.memory_type = attributes.kind;
    if (attributes.kind == MemoryType::device && attributes.device) memory.device_ordinal = attributes.device->ordinal();
    return StridedView(std::move(memory));
}

std::size_t StridedView::size() const noexcept {
    return detail::element_count(memory_.shape);
}

bool StridedView::is_contiguous(MemoryOrder order) const noexcept {
    if (order == MemoryOrder::row_major) return detail::is_row_major(memory_.shape, memory_.strides);
    return detail::is_row_major(detail::reversed(memory_.shape), detail::reversed(memory_.strides));
}

bool StridedView::is_unique() const noexcept {
    return detail::is_unique(shape(), strides());
}

OffsetBounds StridedView::offset_bounds() const {
    return detail::check_layout(shape(), strides(), dtype().size());
}

std::size_t StridedView::required_size_bytes() const {
    const OffsetBounds bounds = offset_bounds();
    return static_cast<std::size_t>(bounds.highest - bounds.lowest + 1) * dtype().size();
}

Dimensions StridedView::stride_order() const {
    return detail::stride_order(shape(), strides());
}

Dimensions StridedView::dense_strides(MemoryOrder order) const {
    if (order == MemoryOrder::row_major) return detail::row_major_strides(shape());
    return detail::reversed(detail::row_major_strides(detail::reversed(shape())));
}

Dimensions StridedView::dense_strides() const {
    const Dimensions dimensions = stride_order();
    const Dimensions dense = detail::row_major_strides(permute(dimensions).shape());
    Dimensions strides = dense;
    for (std::size_t i = 0; i < rank(); ++i) strides.set(static_cast<std::size_t>(dimensions[i]), dense[i]);
    return strides;
}

std::optional<Device> StridedView::device() const {
    if (memory_.memory_type != MemoryType::device) return std::nullopt;
    return Device(memory_.device_ordinal);
}

void StridedView::check_span(DataType type, std::size_t rank, std::size_t alignment, bool is_const) const {
    if (type != memory_.dtype) {
        detail::throw_misuse("the elements of the view are ", to_string(memory_.dtype), " and not ", to_string(type));
    }
    if (rank != this->rank()) {
        detail::throw_misuse("a view of shape ", to_string(memory_.shape), " has ", this->rank(), " dimensions and not ", rank,
                             ": use reshape(), select() or unsqueeze()");
    }
    if (memory_.readonly && !is_const) {
        detail::throw_misuse("the view is read-only: use span<const T, ", rank, ">()");
    }
    if (reinterpret_cast<std::uintptr_t>(memory_.data) % alignment != 0) {
        detail::throw_misuse("the address ", reinterpret_cast<std::uintptr_t>(memory_.data), " of the view is not a multiple of ",
                             alignment, ", the alignment of the type ", to_string(type), ": copy the elements to a Buffer");
    }
}

}  // namespace CUBIND_NAMESPACE
