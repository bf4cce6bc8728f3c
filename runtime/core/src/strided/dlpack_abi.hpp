// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/array/data_type.hpp>
#include <cubind/core/strided/strided_view.hpp>

#include <cstddef>
#include <cstdint>

#include "lifetime/cleanup.hpp"

/// The binary interface of DLPack: structs with the layout of those of <dlpack/dlpack.h>.
namespace CUBIND_NAMESPACE::detail::dlpack {

/// The version that cubind exports. Versions with this major number have the same layout.
struct Version {
    std::uint32_t major = 1;
    std::uint32_t minor = 1;
};

/// The kinds of memory that cubind supports.
enum DeviceType : std::int32_t {
    cpu = 1,            ///< pageable memory of the host
    cuda = 2,           ///< memory of a CUDA device
    cuda_host = 3,      ///< page-locked memory of the host
    cuda_managed = 13,  ///< managed memory
};

struct Device {
    std::int32_t type;
    std::int32_t ordinal;  ///< 0 for memory that belongs to no device
};

struct Type {
    std::uint8_t code;
    std::uint8_t bits;
    std::uint16_t lanes;
};

/// An array without an owner.
struct Tensor {
    void* data;
    Device device;
    std::int32_t rank;
    Type type;
    std::int64_t* shape;
    std::int64_t* strides;  ///< in elements; nullptr for row-major order
    std::uint64_t byte_offset;
};

/// DLManagedTensor.
struct Unversioned {
    Tensor tensor;
    void* owner;
    void (*deleter)(Unversioned* self);
};

/// Bits of Versioned::flags.
inline constexpr std::uint64_t readonly_flag = 1;
inline constexpr std::uint64_t padded_flag = 4;  ///< elements smaller than a byte occupy a byte each

/// DLManagedTensorVersioned. The layout up to `flags` is the same in all versions.
struct Versioned {
    Version version;
    void* owner;
    void (*deleter)(Versioned* self);
    std::uint64_t flags;
    Tensor tensor;
};

/// Returns the struct behind a public pointer.
inline Versioned* native(::DLManagedTensorVersioned* tensor) noexcept {
    return reinterpret_cast<Versioned*>(tensor);
}
inline Unversioned* native(::DLManagedTensor* tensor) noexcept {
    return reinterpret_cast<Unversioned*>(tensor);
}

/// Calls the deleter of the producer, if there is one. An exception is reported to the cleanup handler, because destructors call
/// this function.
template <class Tensor>
void delete_tensor(Tensor* tensor) noexcept try {
    if (tensor->deleter != nullptr) tensor->deleter(tensor);
} catch (...) {
    report_exception_unless_released("delete a tensor of DLPack");
}

/// Describes the view as a tensor. The shape and the strides must exist as long as the tensor.
Tensor tensor_of(const StridedView& view, const Dimensions& shape, const Dimensions& strides);

/// Describes memory of this type, shape and kind. The tensor has no data and no strides.
Tensor tensor_of(const StridedMemory& prototype);

/// Returns the memory that a tensor describes. Throws std::invalid_argument for a tensor that cubind cannot read.
StridedMemory memory_of(const Tensor& tensor, bool is_readonly);

/// Returns the type, the shape and the kind of memory of a tensor, like memory_of(). The other members of the tensor are not
/// read.
StridedMemory prototype_of(const Tensor& tensor);

/// Ends the ownership of the tensor that StridedView::from_dlpack() has taken over for this view and its copies.
void disown(const StridedView& imported) noexcept;

}  // namespace CUBIND_NAMESPACE::detail::dlpack
