// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/strided/strided_view.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <type_traits>

/// @file
/// The arrays that mathematical operations read and write.

namespace CUBIND_NAMESPACE::math {

/// An array in memory of a device, which an operation reads. It is created by conversion where a function is called: from a
/// StridedView, which can have any shape and strides, from a TypedBuffer or a std::span, which have one dimension, and from a
/// StridedSpan. It refers to its source, and must not outlive it.
///
/// A graph that a GraphBuilder captures retains the memory of views and buffers, but not that of spans. The device of the memory
/// is known for views and buffers.
class CUBIND_EXPORT Operand {
public:
    /// Refers to the elements of a view.
    Operand(const StridedView& view);
    /// Refers to the elements of a buffer, as one dimension.
    template <class Element>
    Operand(const TypedBuffer<Element>& buffer)
        : Operand(buffer.bytes(), data_type<Element>, static_cast<std::int64_t>(buffer.count())) {}
    /// Refers to elements in memory of a device, as one dimension.
    template <class Element>
    Operand(std::span<Element> elements)
        : Operand(elements.data(), data_type<std::remove_cv_t<Element>>, std::is_const_v<Element>,
                  {static_cast<std::int64_t>(elements.size())}, {1}) {}
    /// Refers to the elements of a span in memory of a device.
    template <class Element, int Rank>
    Operand(const StridedSpan<Element, Rank>& elements)
        : Operand(elements.data, data_type<std::remove_cv_t<Element>>, std::is_const_v<Element>, dimensions(elements.shape, Rank),
                  dimensions(elements.strides, Rank)) {}

    /// Returns the address of the element at index 0 of each dimension.
    [[nodiscard]] void* data() const noexcept { return data_; }
    /// Returns the type of the elements.
    [[nodiscard]] DataType dtype() const noexcept { return dtype_; }
    /// Returns the number of dimensions.
    [[nodiscard]] std::size_t rank() const noexcept { return shape_.rank(); }
    /// Returns the elements of each dimension.
    [[nodiscard]] const Dimensions& shape() const noexcept { return shape_; }
    /// Returns the elements from one index to the next of each dimension.
    [[nodiscard]] const Dimensions& strides() const noexcept { return strides_; }
    /// Returns the elements of a dimension.
    [[nodiscard]] std::int64_t extent(std::size_t dimension) const { return shape_[dimension]; }
    /// Returns the number of elements.
    [[nodiscard]] std::int64_t size() const noexcept;
    /// Returns whether the memory must not be written.
    [[nodiscard]] bool is_readonly() const noexcept { return is_readonly_; }
    /// Returns the device of the memory, or std::nullopt if it is not known or is no device.
    [[nodiscard]] std::optional<Device> device() const;
    /// Returns an owner of the memory, or nullptr if it is not known.
    [[nodiscard]] std::shared_ptr<const void> share() const;
    /// Returns whether a device can access the memory: false for a view of pageable memory of the host.
    [[nodiscard]] bool is_device_accessible() const noexcept { return is_device_accessible_; }

private:
    Operand(const Buffer& buffer, DataType dtype, std::int64_t count);
    Operand(const void* data, DataType dtype, bool is_readonly, const Dimensions& shape, const Dimensions& strides)
        : data_(const_cast<void*>(data)), dtype_(dtype), is_readonly_(is_readonly), shape_(shape), strides_(strides) {}
    static Dimensions dimensions(const long long* values, int count) {
        Dimensions result;
        for (int i = 0; i < count; ++i) result.push_back(values[i]);
        return result;
    }

    void* data_;
    DataType dtype_;
    bool is_readonly_;
    bool is_device_accessible_ = true;
    Dimensions shape_;
    Dimensions strides_;
    const StridedView* view_ = nullptr;  // at most one of these knows the memory
    const Buffer* buffer_ = nullptr;
};

/// An array that an operation writes. It has the same sources as Operand, without those of constant elements. A read-only view is
/// refused when the operation begins.
class CUBIND_EXPORT Output : public Operand {
public:
    /// Refers to the elements of a view.
    Output(const StridedView& view) : Operand(view) {}
    /// Refers to the elements of a buffer, as one dimension.
    template <class Element>
    Output(const TypedBuffer<Element>& buffer) : Operand(buffer) {}
    /// Refers to elements in memory of a device, as one dimension.
    template <class Element>
    requires(!std::is_const_v<Element>) Output(std::span<Element> elements) : Operand(elements) {}
    /// Refers to the elements of a span in memory of a device.
    template <class Element, int Rank>
    requires(!std::is_const_v<Element>) Output(const StridedSpan<Element, Rank>& elements) : Operand(elements) {}
};

}  // namespace CUBIND_NAMESPACE::math
