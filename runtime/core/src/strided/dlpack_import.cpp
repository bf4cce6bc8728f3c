// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/strided/strided_view.hpp>

#include <limits>
#include <memory>
#include <utility>

#include "device/device_table.hpp"
#include "errors/misuse.hpp"
#include "strided/dlpack_abi.hpp"
#include "strided/layout.hpp"

namespace CUBIND_NAMESPACE {
namespace {

namespace dlpack = detail::dlpack;
using detail::throw_misuse;

MemoryType memory_type_of(std::int32_t type) {
    switch (type) {
        case dlpack::cpu:
            return MemoryType::unregistered;
        case dlpack::cuda:
            return MemoryType::device;
        case dlpack::cuda_host:
            return MemoryType::host;
        case dlpack::cuda_managed:
            return MemoryType::managed;
        default:
            throw_misuse(
                "the DLPack tensor is in memory of device type ", type,
                ": cubind reads memory of the host (1), of CUDA devices (2), page-locked memory (3) and managed memory (13)");
    }
}

void check_device(const dlpack::Device& device) {
    if (device.type != dlpack::cuda) return;
    const int count = detail::DeviceTable::get().size();
    if (device.ordinal >= 0 && device.ordinal < count) return;
    throw_misuse("the DLPack tensor is on CUDA device ", device.ordinal, ", but there are ", count,
                 " devices, and the first is 0");
}

DataType type_of(const dlpack::Type& type) {
    if (type.code > static_cast<std::uint8_t>(DataTypeKind::float4_e2m1fn)) {
        throw_misuse("the DLPack tensor has the unknown data type code ", type.code, ": codes up to ",
                     static_cast<int>(DataTypeKind::float4_e2m1fn), " exist in DLPack 1.1");
    }
    return {static_cast<DataTypeKind>(type.code), type.bits, type.lanes};
}

Dimensions dimensions_of(const char* what, const std::int64_t* values, std::int32_t rank) {
    if (rank < 0) throw_misuse("the DLPack tensor has ", rank, " dimensions: the number must not be negative");
    if (rank > 0 && values == nullptr) throw_misuse("the DLPack tensor has ", rank, " dimensions and no ", what);
    return Dimensions(values, static_cast<std::size_t>(rank));
}

StridedMemory memory_of(const dlpack::Unversioned& tensor, bool& is_padded) {
    is_padded = false;
    return dlpack::memory_of(tensor.tensor, false);
}

StridedMemory memory_of(const dlpack::Versioned& tensor, bool& is_padded) {
    const dlpack::Version& version = tensor.version;
    if (version.major != dlpack::Version{}.major) {
        throw_misuse(
            "the tensor is of DLPack ", version.major, ".", version.minor,
            ", and cubind reads DLPack 1.x: ask its producer for version 1.1, such as __dlpack__(max_version=(1, 1)), and "
            "call the deleter of this tensor");
    }
    is_padded = (tensor.flags & dlpack::padded_flag) != 0;
    return dlpack::memory_of(tensor.tensor, (tensor.flags & dlpack::readonly_flag) != 0);
}

/// Owns an imported tensor.
template <class Tensor>
struct TensorOwner {
    TensorOwner() = default;
    TensorOwner(const TensorOwner&) = delete;
    TensorOwner& operator=(const TensorOwner&) = delete;
    ~TensorOwner() {
        if (tensor != nullptr) dlpack::delete_tensor(tensor);
    }

    Tensor* tensor = nullptr;
};

}  // namespace

StridedMemory dlpack::prototype_of(const Tensor& tensor) {
    StridedMemory memory{.dtype = type_of(tensor.type),
                         .shape = dimensions_of("shape", tensor.shape, tensor.rank),
                         .memory_type = memory_type_of(tensor.device.type),
                         .device_ordinal = tensor.device.ordinal};
    check_device(tensor.device);
    return memory;
}

StridedMemory dlpack::memory_of(const Tensor& tensor, bool is_readonly) {
    StridedMemory memory = prototype_of(tensor);
    memory.readonly = is_readonly;
    if (tensor.strides != nullptr) memory.strides = dimensions_of("strides", tensor.strides, tensor.rank);
    const auto address = reinterpret_cast<std::uintptr_t>(tensor.data);
    if (tensor.byte_offset > std::numeric_limits<std::uintptr_t>::max() - address) {
        throw_misuse("the DLPack tensor has its first element ", tensor.byte_offset, " bytes after the address ", address,
                     ", which exceeds the address space");
    }
    if (tensor.data != nullptr) memory.data = reinterpret_cast<void*>(address + tensor.byte_offset);
    return memory;
}

void dlpack::disown(const StridedView& imported) noexcept {
    const auto* const owner = static_cast<const TensorOwner<Versioned>*>(imported.owner().get());
    const_cast<TensorOwner<Versioned>*>(owner)->tensor = nullptr;
}

template <class Tensor>
StridedView StridedView::import_tensor(Tensor* tensor) {
    if (tensor == nullptr) throw_misuse("cannot read a DLPack tensor: its address is nullptr");
    bool is_padded = false;
    StridedMemory memory = memory_of(*tensor, is_padded);
    StridedView view(std::move(memory), is_padded);
    const auto owner = std::make_shared<TensorOwner<Tensor>>();
    view.memory_.owner = owner;
    owner->tensor = tensor;  // takes ownership, because nothing throws from here on
    return view;
}

StridedView StridedView::from_dlpack(::DLManagedTensorVersioned* tensor) {
    return import_tensor(dlpack::native(tensor));
}

StridedView StridedView::from_dlpack(::DLManagedTensor* tensor) {
    return import_tensor(dlpack::native(tensor));
}

}  // namespace CUBIND_NAMESPACE
