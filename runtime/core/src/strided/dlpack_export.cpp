// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/strided/strided_view.hpp>

#include "errors/misuse.hpp"
#include "strided/dlpack_abi.hpp"

namespace CUBIND_NAMESPACE {
namespace {

namespace dlpack = detail::dlpack;

/// An exported tensor, and what it refers to. The deleter destroys it.
template <class Tensor>
struct Exported {
    Tensor managed = {};
    Dimensions shape;
    Dimensions strides;
    std::shared_ptr<const void> owner;
};

std::int32_t device_type_of(MemoryType type) {
    switch (type) {
        case MemoryType::device:
            return dlpack::cuda;
        case MemoryType::host:
            return dlpack::cuda_host;
        case MemoryType::managed:
            return dlpack::cuda_managed;
        default:
            return dlpack::cpu;
    }
}

dlpack::Tensor describe(MemoryType memory, int ordinal, DataType type, const Dimensions& shape) {
    return {.data = nullptr,
            .device = {device_type_of(memory), ordinal},
            .rank = static_cast<std::int32_t>(shape.rank()),
            .type = {static_cast<std::uint8_t>(type.kind), type.bits, type.lanes},
            .shape = const_cast<std::int64_t*>(shape.begin()),
            .strides = nullptr,
            .byte_offset = 0};
}

template <class Tensor>
Tensor* export_view(const StridedView& view) {
    auto exported = std::make_unique<Exported<Tensor>>();
    exported->shape = view.shape();
    exported->strides = view.strides();
    exported->owner = view.owner();
    exported->managed.tensor = dlpack::tensor_of(view, exported->shape, exported->strides);
    exported->managed.owner = exported.get();
    exported->managed.deleter = [](Tensor* self) { delete static_cast<Exported<Tensor>*>(self->owner); };
    return &exported.release()->managed;
}

}  // namespace

dlpack::Tensor dlpack::tensor_of(const StridedView& view, const Dimensions& shape, const Dimensions& strides) {
    const auto device = view.device();
    Tensor tensor = describe(view.memory_type(), device ? device->ordinal() : 0, view.dtype(), shape);
    tensor.data = view.size() == 0 ? nullptr : view.data();
    tensor.strides = const_cast<std::int64_t*>(strides.begin());
    return tensor;
}

dlpack::Tensor dlpack::tensor_of(const StridedMemory& prototype) {
    const int ordinal = prototype.memory_type == MemoryType::device ? prototype.device_ordinal : 0;
    return describe(prototype.memory_type, ordinal, prototype.dtype, prototype.shape);
}

void detail::DlpackDeleter::operator()(::DLManagedTensorVersioned* tensor) const noexcept {
    dlpack::delete_tensor(dlpack::native(tensor));
}

void detail::DlpackDeleter::operator()(::DLManagedTensor* tensor) const noexcept {
    dlpack::delete_tensor(dlpack::native(tensor));
}

DlpackTensor StridedView::to_dlpack() const {
    auto* const tensor = export_view<dlpack::Versioned>(*this);
    tensor->version = {};
    tensor->flags = (memory_.readonly ? dlpack::readonly_flag : 0) | (is_padded_ ? dlpack::padded_flag : 0);
    return DlpackTensor(reinterpret_cast<::DLManagedTensorVersioned*>(tensor));
}

DlpackTensor StridedView::to_dlpack(StreamRef producer, StreamRef consumer) const {
    DlpackTensor tensor = to_dlpack();
    if (consumer != producer) consumer.wait(producer);
    return tensor;
}

UnversionedDlpackTensor StridedView::to_unversioned_dlpack() const {
    if (memory_.readonly || is_padded_) {
        detail::throw_misuse("a tensor of DLPack 0.x cannot state that memory is ", memory_.readonly ? "read-only" : "padded",
                             ": use to_dlpack(), or export a copy");
    }
    auto* const tensor = export_view<dlpack::Unversioned>(*this);
    return UnversionedDlpackTensor(reinterpret_cast<::DLManagedTensor*>(tensor));
}

std::intptr_t dlpack_stream(StreamRef stream) {
    const auto number = reinterpret_cast<std::intptr_t>(stream.native_handle());
    return number == 0 ? reinterpret_cast<std::intptr_t>(StreamRef::legacy_default().native_handle()) : number;
}

StreamRef stream_from_dlpack(std::intptr_t number) {
    if (number > 0) return StreamRef(reinterpret_cast<StreamRef::Handle>(number));
    if (number == -1) {
        detail::throw_misuse(
            "the consumer of the DLPack tensor passed the stream -1, which requests no ordering: call to_dlpack() "
            "without streams");
    }
    detail::throw_misuse("the number ", number,
                         " is not a stream for DLPack: pass 1 for the legacy default stream, 2 for the default stream of a "
                         "thread, or a handle");
}

}  // namespace CUBIND_NAMESPACE
