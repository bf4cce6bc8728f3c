// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "solver/matrix.hpp"

#include <cubind/check.hpp>
#include <cubind/core/stream/detail/stream_access.hpp>
#include <cubind/core/strided/strided_view.hpp>
#include <cubind/driver/memory.hpp>

#include <algorithm>
#include <limits>

namespace CUBIND_NAMESPACE::math::detail::solver {
namespace {

using cubind::detail::StreamAccess;

driver::CUdeviceptr address_of(const void* data) {
    return reinterpret_cast<driver::CUdeviceptr>(data);
}

StridedView view_of(const Array& array, const Device& device) {
    return StridedView({.data = array.data,
                        .dtype = array.dtype,
                        .shape = array.shape,
                        .strides = array.strides,
                        .memory_type = MemoryType::device,
                        .device_ordinal = device.ordinal()});
}

/// Copies between matrices in column-major order by the driver. Returns whether it could.
bool copy_columns(driver::CUstream stream, const Array& to, const Array& from) {
    constexpr auto max_pitch = static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max());
    const std::size_t size = to.dtype.size();
    const std::size_t width = static_cast<std::size_t>(to.rows()) * size;
    const std::size_t to_pitch = static_cast<std::size_t>(to.leading_dimension()) * size;
    const std::size_t from_pitch = static_cast<std::size_t>(from.leading_dimension()) * size;
    if (to.columns() == 1 || (to_pitch == width && from_pitch == width)) {
        check(driver::cuMemcpyDtoDAsync(address_of(to.data), address_of(from.data), to.bytes(), stream));
        return true;
    }
    if (to_pitch > max_pitch || from_pitch > max_pitch) return false;
    driver::CUDA_MEMCPY2D copied{};
    copied.srcMemoryType = copied.dstMemoryType = driver::CU_MEMORYTYPE_UNIFIED;
    copied.srcDevice = address_of(from.data);
    copied.dstDevice = address_of(to.data);
    copied.srcPitch = from_pitch;
    copied.dstPitch = to_pitch;
    copied.WidthInBytes = width;
    copied.Height = static_cast<std::size_t>(to.columns());
    check(driver::cuMemcpy2DAsync(&copied, stream));
    return true;
}

}  // namespace

Array::Array(const Operand& operand)
    : data(operand.data()), dtype(operand.dtype()), shape(operand.shape()), strides(operand.strides()) {
    if (operand.rank() != 1) return;
    shape.push_back(1);
    strides.push_back(std::max<std::int64_t>(1, shape[0]));
}

Array Array::transposed() const {
    Array result = *this;
    const std::size_t last = shape.rank() - 1;
    result.shape.set(last, shape[last - 1]);
    result.shape.set(last - 1, shape[last]);
    result.strides.set(last, strides[last - 1]);
    result.strides.set(last - 1, strides[last]);
    return result;
}

Array Array::columns_from(std::int64_t first) const {
    std::byte* const begin = static_cast<std::byte*>(data) + first * strides[1] * static_cast<std::int64_t>(dtype.size());
    return {begin, dtype, {rows(), columns() - first}, strides};
}

std::size_t Array::bytes() const {
    return static_cast<std::size_t>(rows() * columns() * matrices()) * dtype.size();
}

bool Array::is_column_major() const {
    const std::size_t last = shape.rank() - 1;
    if (rows() > 1 && strides[last - 1] != 1) return false;
    if (columns() > 1 && strides[last] < std::max<std::int64_t>(1, rows())) return false;
    return matrices() <= 1 || strides[0] == leading_dimension() * columns();
}

std::int64_t Array::leading_dimension() const {
    const std::int64_t least = std::max<std::int64_t>(1, rows());
    return columns() > 1 ? std::max(least, strides[shape.rank() - 1]) : least;
}

void copy_array(StreamRef stream, const Device& device, const Array& to, const Array& from) {
    if (to.bytes() == 0 || (to.data == from.data && to.strides == from.strides)) return;
    if (to.shape.rank() == 2) {
        const driver::CUstream handle = StreamAccess::handle(stream);
        if (to.is_column_major() && from.is_column_major() && copy_columns(handle, to, from)) return;
        const Array to_rows = to.transposed();
        const Array from_rows = from.transposed();
        if (to_rows.is_column_major() && from_rows.is_column_major() && copy_columns(handle, to_rows, from_rows)) return;
    }
    copy(stream, view_of(to, device), view_of(from, device));
}

void clear(driver::CUstream stream, void* data, std::size_t bytes) {
    check(driver::cuMemsetD8Async(address_of(data), 0, bytes, stream));
}

void clear(driver::CUstream stream, const Array& matrix) {
    const std::size_t size = matrix.dtype.size();
    check(driver::cuMemsetD2D8Async(address_of(matrix.data), static_cast<std::size_t>(matrix.leading_dimension()) * size, 0,
                                    static_cast<std::size_t>(matrix.rows()) * size, static_cast<std::size_t>(matrix.columns()),
                                    stream));
}

Array column_major(void* data, DataType dtype, const Dimensions& shape) {
    const std::size_t rank = shape.rank();
    const std::int64_t rows = std::max<std::int64_t>(1, shape[rank - 2]);
    if (rank == 2) return {data, dtype, shape, {1, rows}};
    return {data, dtype, shape, {rows * shape[rank - 1], 1, rows}};
}

Columns::Columns(const Array& operand, Arena& arena) : Columns(operand, arena, !operand.is_column_major()) {}

Columns::Columns(const Array& operand, Arena& arena, bool is_copy) : operand_(operand), matrix_(operand), is_copy_(is_copy) {
    if (!is_copy_) return;
    matrix_ = column_major(nullptr, operand.dtype, operand.shape);
    offset_ = arena.add(operand.bytes());
}

}  // namespace CUBIND_NAMESPACE::math::detail::solver
