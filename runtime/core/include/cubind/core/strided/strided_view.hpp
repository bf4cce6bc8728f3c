// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/array/data_type.hpp>
#include <cubind/core/memory/pointer_attributes.hpp>
#include <cubind/core/memory/typed_buffer.hpp>
#include <cubind/core/strided/dimensions.hpp>
#include <cubind/core/strided/strided_span.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

// The types of <dlpack/dlpack.h>, which programs may include before or after this header.
struct DLManagedTensor;
struct DLManagedTensorVersioned;

namespace CUBIND_NAMESPACE {

struct IncludedHeader;
struct TensorLayout;

namespace detail {

/// Calls the deleter of an exported tensor. An exception of it is reported to the cleanup handler.
struct CUBIND_EXPORT DlpackDeleter {
    void operator()(::DLManagedTensorVersioned* tensor) const noexcept;
    void operator()(::DLManagedTensor* tensor) const noexcept;
};

}  // namespace detail

/// An owner of an exported tensor. `release()` returns the pointer for a consumer, which then calls the tensor's deleter.
using DlpackTensor = std::unique_ptr<::DLManagedTensorVersioned, detail::DlpackDeleter>;
/// An owner of a tensor for consumers that do not know DLPack 1.
using UnversionedDlpackTensor = std::unique_ptr<::DLManagedTensor, detail::DlpackDeleter>;

/// The order in which the elements of a view follow each other without gaps.
enum class MemoryOrder {
    row_major,     ///< the last dimension first, as in C
    column_major,  ///< the first dimension first, as in Fortran
};

/// Memory of other code, from which a StridedView is created without a call of the driver.
///
///     StridedView view({.data = pixels, .dtype = data_type<float>, .shape = {480, 640}});
struct StridedMemory {
    /// The address of the element at index 0 of each dimension.
    void* data = nullptr;
    /// The type of the elements.
    DataType dtype = {};
    /// The elements of each dimension.
    Dimensions shape = {};
    /// The elements from one index to the next of each dimension. If empty, the elements follow each other in row-major order.
    Dimensions strides = {};
    /// The kind of memory: by default, pageable memory of the host.
    MemoryType memory_type = MemoryType::unregistered;
    /// The ordinal of the device of device memory.
    int device_ordinal = 0;
    /// Whether the memory must not be written.
    bool readonly = false;
    /// The owner of the memory, which views retain.
    std::shared_ptr<const void> owner = nullptr;
};

/// A view of an array of any number of dimensions in memory of the host or of a device: address, type of the elements, shape and
/// strides. It retains the owner of the memory. Changes of the shape return new views of the same memory and copy no element.
///
///     TypedBuffer<float> buffer = device.allocate<float>(stream, 6);
///     StridedView matrix(buffer, {2, 3});
///     StridedView column = matrix.select(1, 0);                                     // shape (2), strides (3)
///     launch(stream, config, kernel, matrix.transpose().span<float, 2>());
///     consumer(matrix.to_dlpack(stream, consumer_stream).release());                // to PyTorch, CuPy, ...
///
/// A view of a Buffer shares the memory, which is freed in the stream order of the buffer once the buffer and all views are
/// destroyed. Launches that a GraphBuilder captures do not retain it; captured copies do. Copies of a view are independent.
/// Several threads may call constant functions of one object.
class CUBIND_EXPORT StridedView {
public:
    // ---- creation --------------------------------------------------------------------------------------------------------

    /// Creates a view of a buffer, which it retains. Without strides, the elements follow each other in row-major order. Throws
    /// std::invalid_argument if an element is outside of the buffer.
    StridedView(const Buffer& buffer, DataType dtype, const Dimensions& shape, const Dimensions& strides = {});
    /// Creates a view of a typed buffer, like the function above.
    template <class Element>
    StridedView(const TypedBuffer<Element>& buffer, const Dimensions& shape, const Dimensions& strides = {})
        : StridedView(buffer.bytes(), data_type<Element>, shape, strides) {}
    /// Creates a view of other memory. Calls no function of the driver. Throws std::invalid_argument for negative extents, for
    /// strides of another number of dimensions and for sizes that exceed the address space.
    explicit StridedView(StridedMemory memory);

    /// Creates a view of elements by their address, and asks the driver for the kind of the memory (cuPointerGetAttributes). The
    /// memory must outlive the view unless `owner` keeps it alive. Views of constant elements are read-only.
    template <class Element>
    [[nodiscard]] static StridedView view_of(Element* data, const Dimensions& shape, const Dimensions& strides = {},
                                             std::shared_ptr<const void> owner = nullptr) {
        using Value = std::remove_cv_t<Element>;
        return of_known_memory({.data = const_cast<Value*>(data),
                                .dtype = data_type<Value>,
                                .shape = shape,
                                .strides = strides,
                                .readonly = std::is_const_v<Element>,
                                .owner = std::move(owner)});
    }

    /// Takes over a tensor of another library, such as the pointer in the capsule that `__dlpack__()` returns. The view and its
    /// copies own the tensor, and the last of them calls its deleter, once, on the thread that destroys it. Work that uses the
    /// memory must have completed by then. An exception of the deleter is reported to the cleanup handler. If this throws, the
    /// caller still owns the tensor. Throws std::invalid_argument, which names the value, for versions other than 1.x, memory
    /// that neither the host nor CUDA devices can access, data types that are not known or not addressable, and impossible
    /// shapes. Waits for no stream; see stream_from_dlpack().
    [[nodiscard]] static StridedView from_dlpack(::DLManagedTensorVersioned* tensor);
    /// Takes over a tensor without a version, as libraries create it that do not know DLPack 1. Otherwise like the function
    /// above.
    [[nodiscard]] static StridedView from_dlpack(::DLManagedTensor* tensor);

    // ---- properties ------------------------------------------------------------------------------------------------------

    /// Returns the address of the element at index 0 of each dimension.
    [[nodiscard]] void* data() const noexcept { return memory_.data; }
    /// Returns the type of the elements.
    [[nodiscard]] DataType dtype() const noexcept { return memory_.dtype; }
    /// Returns the number of dimensions.
    [[nodiscard]] std::size_t rank() const noexcept { return memory_.shape.rank(); }
    /// Returns the elements of each dimension.
    [[nodiscard]] const Dimensions& shape() const noexcept { return memory_.shape; }
    /// Returns the elements from one index to the next of each dimension. They can be 0 or negative.
    [[nodiscard]] const Dimensions& strides() const noexcept { return memory_.strides; }
    /// Returns the number of elements.
    [[nodiscard]] std::size_t size() const noexcept;
    /// Returns the bytes of all elements, without gaps between them.
    [[nodiscard]] std::size_t size_bytes() const noexcept { return size() * memory_.dtype.size(); }
    /// Returns whether the elements follow each other without gaps in this order. Views of at most one element do in both.
    [[nodiscard]] bool is_contiguous(MemoryOrder order = MemoryOrder::row_major) const noexcept;
    /// Returns whether no two indices refer to the same element. Views that slice(), permute(), reverse(), reshape() and
    /// view_as() make of elements without gaps are unique; a view with a stride of 0 and more than one element in that dimension
    /// is not. The result is exact if at most two dimensions interleave, and false if more do.
    [[nodiscard]] bool is_unique() const noexcept;
    /// Returns the lowest and the highest offset of an element from data(), in elements; {0, -1} for no elements.
    [[nodiscard]] OffsetBounds offset_bounds() const;
    /// Returns the bytes from the first byte of the lowest element to the last byte of the highest one, with the gaps between
    /// them: the size of the smallest buffer that holds the view with its strides. 0 for no elements.
    [[nodiscard]] std::size_t required_size_bytes() const;
    /// Returns the dimensions in the order of their strides without their signs, the largest first: (0, 1) for row-major and
    /// (1, 0) for column-major order. Of equal strides, the dimension with more elements is first.
    [[nodiscard]] Dimensions stride_order() const;
    /// Returns the strides of a view of the same shape without gaps whose dimensions are in stride_order(). All are positive.
    [[nodiscard]] Dimensions dense_strides() const;
    /// Returns the strides of a view of the same shape without gaps in this order.
    [[nodiscard]] Dimensions dense_strides(MemoryOrder order) const;
    /// Returns the kind of the memory.
    [[nodiscard]] MemoryType memory_type() const noexcept { return memory_.memory_type; }
    /// Returns the device of device memory, or std::nullopt for other memory.
    [[nodiscard]] std::optional<Device> device() const;
    /// Returns whether devices can access the memory.
    [[nodiscard]] bool is_device_accessible() const noexcept { return memory_.memory_type != MemoryType::unregistered; }
    /// Returns whether the host can access the memory.
    [[nodiscard]] bool is_host_accessible() const noexcept { return memory_.memory_type != MemoryType::device; }
    /// Returns whether the memory must not be written.
    [[nodiscard]] bool is_readonly() const noexcept { return memory_.readonly; }
    /// Returns the owner that the view retains, or nullptr: the memory of a Buffer, or an imported tensor.
    [[nodiscard]] const std::shared_ptr<const void>& owner() const noexcept { return memory_.owner; }

    // ---- elements --------------------------------------------------------------------------------------------------------

    /// Returns the elements for kernels, and for the host if is_host_accessible(). Throws std::invalid_argument, which names
    /// both, for another data type or number of dimensions, for a read-only view unless the element type is const, and for an
    /// address that is not a multiple of the alignment of the type.
    template <class Element, int Rank>
    [[nodiscard]] StridedSpan<Element, Rank> span() const {
        static_assert(Rank <= static_cast<int>(Dimensions::max_rank));
        check_span(data_type<std::remove_cv_t<Element>>, static_cast<std::size_t>(Rank), alignof(Element),
                   std::is_const_v<Element>);
        StridedSpan<Element, Rank> elements{static_cast<Element*>(memory_.data), {}, {}};
        for (int i = 0; i < Rank; ++i) {
            elements.shape[i] = memory_.shape.begin()[i];
            elements.strides[i] = memory_.strides.begin()[i];
        }
        return elements;
    }

    // ---- other views of the memory ---------------------------------------------------------------------------------------

    /// Returns the elements whose index in a dimension is begin, begin + step, ... below end. Throws std::invalid_argument unless
    /// 0 <= begin <= end <= the extent, and step > 0.
    [[nodiscard]] StridedView slice(std::size_t dimension, std::int64_t begin, std::int64_t end, std::int64_t step = 1) const;
    /// Returns the elements at one index of a dimension, without that dimension. Throws std::invalid_argument for an index that
    /// does not exist.
    [[nodiscard]] StridedView select(std::size_t dimension, std::int64_t index) const;
    /// Reverses the order of the elements of a dimension.
    [[nodiscard]] StridedView reverse(std::size_t dimension) const;
    /// Returns the dimensions in another order: dimension i of the result is dimension order[i]. Throws std::invalid_argument
    /// unless `order` has each dimension once.
    [[nodiscard]] StridedView permute(const Dimensions& order) const;
    /// Returns the dimensions in the reverse order.
    [[nodiscard]] StridedView transpose() const;
    /// Returns the same elements, in row-major order, with another shape. One extent can be -1, and is computed. Throws
    /// std::invalid_argument for another number of elements, and if strides cannot express the result.
    [[nodiscard]] StridedView reshape(const Dimensions& shape) const;
    /// Returns the dimensions from `begin` to before `end` as one dimension with the elements in row-major order; an empty range
    /// becomes a dimension of one element. Throws std::invalid_argument unless begin <= end <= rank(), and if no stride expresses
    /// the result.
    [[nodiscard]] StridedView flatten(std::size_t begin, std::size_t end) const;
    /// Returns all elements as one dimension, like the function above.
    [[nodiscard]] StridedView flatten() const { return flatten(0, rank()); }
    /// Returns the bytes of the elements as elements of another type. If its size differs, the last dimension, whose elements
    /// must be adjacent, has fewer or more elements: 4 of float32 become 2 of float64 or 8 of float16. Throws
    /// std::invalid_argument, which states the values, if the bytes of that dimension or another stride are not a multiple of the
    /// new size, if the address is not a multiple of the largest power of two up to 16 that divides it, for a scalar, and
    /// for types whose elements have no addresses.
    [[nodiscard]] StridedView view_as(DataType type) const;
    /// Returns elements of another type, like the function above, but packs or divides those of this dimension.
    [[nodiscard]] StridedView view_as(DataType type, std::size_t dimension) const;
    /// Repeats dimensions of one element, and adds dimensions at the front, with strides of 0. The result is read-only. Throws
    /// std::invalid_argument if another extent differs.
    [[nodiscard]] StridedView broadcast_to(const Dimensions& shape) const;
    /// Removes all dimensions of one element.
    [[nodiscard]] StridedView squeeze() const;
    /// Adds a dimension of one element at this position, which is at most rank().
    [[nodiscard]] StridedView unsqueeze(std::size_t dimension) const;
    /// Returns a read-only view.
    [[nodiscard]] StridedView as_readonly() const;

    // ---- new memory ------------------------------------------------------------------------------------------------------

    /// Allocates memory for elements of the same type and shape without gaps, and returns a writable view that owns it. The
    /// strides are dense_strides(). The elements have no values until copy() or a kernel sets them. The allocator is a Device or
    /// a memory resource; throws what its allocate(stream, size) throws.
    ///
    ///     StridedView copied = view.allocate_like(stream, device);
    ///     copy(stream, copied, view);
    template <class Allocator>
    [[nodiscard]] StridedView allocate_like(StreamRef stream, const Allocator& allocator) const {
        return like_in(allocator.allocate(stream, size_bytes()), dense_strides());
    }
    /// Allocates like the function above. The strides are dense_strides(order).
    template <class Allocator>
    [[nodiscard]] StridedView allocate_like(StreamRef stream, const Allocator& allocator, MemoryOrder order) const {
        return like_in(allocator.allocate(stream, size_bytes()), dense_strides(order));
    }

    // ---- DLPack ----------------------------------------------------------------------------------------------------------

    /// Exports the view as a tensor of DLPack 1.1, which retains the owner of the memory. Its deleter may be called on any
    /// thread. The consumer may use the memory in the order of a stream that waits for the work of the producer; see the next
    /// function.
    [[nodiscard]] DlpackTensor to_dlpack() const;
    /// Exports like to_dlpack(), and makes work that is submitted to the consumer's stream from now on wait for all work
    /// submitted to the producer's stream so far, as `__dlpack__(stream=...)` does (cuEventRecord, cuStreamWaitEvent).
    [[nodiscard]] DlpackTensor to_dlpack(StreamRef producer, StreamRef consumer) const;
    /// Exports for a consumer that does not know DLPack 1. Throws std::invalid_argument for a read-only view and for padded
    /// elements, because the tensor cannot express them.
    [[nodiscard]] UnversionedDlpackTensor to_unversioned_dlpack() const;

private:
    StridedView(StridedMemory&& memory, bool is_padded);
    [[nodiscard]] static StridedView of_known_memory(StridedMemory memory);
    template <class Tensor>
    [[nodiscard]] static StridedView import_tensor(Tensor* tensor);
    void check_span(DataType type, std::size_t rank, std::size_t alignment, bool is_const) const;
    [[nodiscard]] StridedView with(std::int64_t offset, const Dimensions& shape, const Dimensions& strides) const;
    [[nodiscard]] StridedView like_in(const Buffer& buffer, const Dimensions& strides) const;

    StridedMemory memory_;
    bool is_padded_ = false;  // whether an element smaller than a byte occupies a byte
};

/// Copies the elements of a view to a view of the same shape and type, with any strides, in stream order. The host must keep
/// pageable memory until the copy has completed; a captured copy retains the owners of both views. Elements that follow each
/// other in both views are copied as a whole (cuMemcpyAsync), and rows and planes at uniform distances with one call
/// (cuMemcpy2DAsync, cuMemcpy3DAsync; between devices cuMemcpy3DPeerAsync). Rows of a pool's memory on another device than the
/// stream's require PoolMemoryResource::allow_peer_access(). A kernel copies all other strides, such as those of a transposition,
/// and its first use for elements of a size loads it (cuLibraryLoadData, cuLaunchKernelEx). If it cannot access a side, the copy
/// has several steps:
///
/// - A host function copies pageable memory (cuLaunchHostFunc), which delays other host functions of the context. Unless both
/// sides
///   are memory of the host, the elements pass through pinned memory, which this call allocates and a later call frees
///   (cuMemHostAlloc, cuMemFreeHost). Apart from the allocation, this call does not wait.
/// - A kernel on another device copies the memory of that device, in a new stream that waits for this one, and for which this one
///   waits. If both sides have strides on different devices, the elements pass through buffers of Device::allocate(). Such a copy
///   cannot be captured: throws std::invalid_argument.
///
/// If a step fails, the call waits for the steps before it, and throws. Throws std::invalid_argument, which states shapes and
/// strides, for a destination with a stride of 0, for views of different shapes or types, and for a read-only destination. If
/// elements of the destination overlap, each has the value of any of its copies.
///
///     copy(stream, StridedView(buffer, {2, 3}), host_view.slice(1, 0, 3));
///     copy(stream, StridedView(columns, {3, 2}), StridedView(buffer, {2, 3}).transpose());
CUBIND_EXPORT void copy(StreamRef stream, const StridedView& destination, const StridedView& source);

/// Returns the layout of a view for TensorMap::tiled(), TensorMap::im2col() and TensorMap::im2col_wide(), which is defined in
/// <cubind/core/array/tensor_map.hpp>. The dimensions are in the reverse order, because the innermost dimension of a TensorLayout
/// comes first. Elements of 1 and 2 bytes that have no CU_TENSOR_MAP_DATA_TYPE_ are unsigned integers. Throws
/// std::invalid_argument for more than five dimensions, for pageable host memory, for negative strides, for a last dimension
/// whose elements are not adjacent, and for other types.
///
///     TensorMap map = TensorMap::tiled(tensor_layout(matrix), {32, 8});        // tiles of 8 rows of 32 elements
[[nodiscard]] CUBIND_EXPORT TensorLayout tensor_layout(const StridedView& view);

/// Returns the stream as the number that `__dlpack__(stream=...)` expects: 1 for the legacy default stream, 2 for the default
/// stream of a thread, else the handle.
[[nodiscard]] CUBIND_EXPORT std::intptr_t dlpack_stream(StreamRef stream);
/// Returns the stream of the number that a consumer has passed to `__dlpack__(stream=...)`. Throws std::invalid_argument for 0,
/// which is ambiguous, and for negative numbers: with -1, the consumer asks for no ordering, so call to_dlpack() without streams.
[[nodiscard]] CUBIND_EXPORT StreamRef stream_from_dlpack(std::intptr_t number);

/// Returns <cubind/core/strided/strided_span.hpp> for the kernels of a Program, which need no include path and no file:
///
///     Program program(source, {.std = "c++17"}, {strided_view_header()});   // #include <cubind/core/strided/strided_span.hpp>
[[nodiscard]] CUBIND_EXPORT IncludedHeader strided_view_header();

}  // namespace CUBIND_NAMESPACE
