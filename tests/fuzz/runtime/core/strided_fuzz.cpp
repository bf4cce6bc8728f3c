// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/strided/strided_view.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <fuzzer/FuzzedDataProvider.h>
#include <stdexcept>

#include "strided/dlpack_abi.hpp"

namespace {

using namespace cubind;
namespace dlpack = cubind::detail::dlpack;

int deleted = 0;

// Small numbers, numbers near the limits, and any others.
std::int64_t number(FuzzedDataProvider& bytes) {
    switch (bytes.ConsumeIntegralInRange<int>(0, 4)) {
        case 0:
            return INT64_MAX - bytes.ConsumeIntegral<std::uint8_t>();
        case 1:
            return INT64_MIN + bytes.ConsumeIntegral<std::uint8_t>();
        case 2:
            return bytes.ConsumeIntegral<std::int64_t>();
        default:
            return bytes.ConsumeIntegralInRange<int>(-3, 9);
    }
}

Dimensions dimensions(FuzzedDataProvider& bytes) {
    Dimensions values;
    for (int rank = bytes.ConsumeIntegralInRange<int>(0, 6); rank > 0; --rank) values.push_back(number(bytes));
    return values;
}

DataType data_type(FuzzedDataProvider& bytes) {
    return {bytes.ConsumeBool() ? DataTypeKind::floating_point
                                : static_cast<DataTypeKind>(bytes.ConsumeIntegralInRange<std::uint8_t>(0, 20)),
            bytes.ConsumeBool() ? std::uint8_t{16} : bytes.ConsumeIntegral<std::uint8_t>(),
            bytes.ConsumeBool() ? std::uint16_t{1} : bytes.ConsumeIntegralInRange<std::uint16_t>(0, 9)};
}

StridedView changed(FuzzedDataProvider& bytes, const StridedView& view) {
    const auto dimension = static_cast<std::size_t>(bytes.ConsumeIntegralInRange<int>(0, 6));
    switch (bytes.ConsumeIntegralInRange<int>(0, 11)) {
        case 0: {
            const std::int64_t begin = number(bytes), end = number(bytes);
            return view.slice(dimension, begin, end, number(bytes));
        }
        case 1:
            return view.select(dimension, number(bytes));
        case 2:
            return view.reverse(dimension);
        case 3:
            return view.permute(dimensions(bytes));
        case 4:
            return view.transpose();
        case 5:
            return view.reshape(dimensions(bytes));
        case 6:
            return view.broadcast_to(dimensions(bytes));
        case 7:
            return view.squeeze();
        case 8:
            return view.flatten(dimension, static_cast<std::size_t>(bytes.ConsumeIntegralInRange<int>(0, 6)));
        case 9:
            return view.view_as(data_type(bytes), dimension);
        case 10:
            return view.view_as(data_type(bytes));
        default:
            return view.unsqueeze(dimension);
    }
}

/// The addresses of the elements of a view, as a range.
struct Addresses {
    explicit Addresses(const StridedView& view) {
        if (view.size() == 0) return;
        const auto size = static_cast<std::int64_t>(view.dtype().size());
        const OffsetBounds range = view.offset_bounds();
        const auto address = reinterpret_cast<std::uintptr_t>(view.data());
        begin = address + static_cast<std::uintptr_t>(range.lowest * size);
        end = address + static_cast<std::uintptr_t>((range.highest + 1) * size);
    }
    bool contain(const Addresses& other) const { return other.begin == other.end || (begin <= other.begin && other.end <= end); }

    std::uintptr_t begin = 0;
    std::uintptr_t end = 0;
};

// Without gaps, elements in the order of a view are unique and need no more memory than they have bytes.
void check_dense(const StridedView& view) {
    const StridedView dense({.data = view.data(), .dtype = view.dtype(), .shape = view.shape(), .strides = view.dense_strides()});
    if (!dense.is_unique() || dense.required_size_bytes() != view.size_bytes()) std::abort();
}

}  // namespace

// The input is a tensor of another library, followed by changes of its view. An impossible tensor is rejected and not deleted; an
// accepted one is deleted once. No view has elements outside of the tensor.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    FuzzedDataProvider bytes(data, size);
    std::int64_t shape[8], strides[8];
    for (std::int64_t& each : shape) each = number(bytes);
    for (std::int64_t& each : strides) each = number(bytes);
    dlpack::Versioned tensor{};
    tensor.version.major = bytes.ConsumeIntegralInRange<std::uint32_t>(1, 8) == 8 ? 2 : 1;
    tensor.flags = bytes.ConsumeIntegral<std::uint8_t>();
    tensor.deleter = [](dlpack::Versioned*) { ++deleted; };
    tensor.tensor = {
        .data = reinterpret_cast<void*>(bytes.ConsumeBool() ? std::uintptr_t{1} << 40 : bytes.ConsumeIntegral<std::uintptr_t>()),
        .device = {bytes.ConsumeBool() ? dlpack::cpu : bytes.PickValueInArray<std::int32_t>({3, 13, 7, -1}), 0},
        .rank = bytes.ConsumeIntegralInRange<std::int32_t>(-1, 8),
        .type = {bytes.ConsumeIntegralInRange<std::uint8_t>(0, 20),
                 bytes.ConsumeBool() ? std::uint8_t{32} : bytes.ConsumeIntegral<std::uint8_t>(),
                 bytes.ConsumeBool() ? std::uint16_t{1} : bytes.ConsumeIntegral<std::uint16_t>()},
        .shape = shape,
        .strides = bytes.ConsumeBool() ? strides : nullptr,
        .byte_offset = bytes.ConsumeBool() ? 0 : bytes.ConsumeIntegral<std::uint64_t>()};
    deleted = 0;
    bool is_taken = false;
    try {
        StridedView view = StridedView::from_dlpack(reinterpret_cast<DLManagedTensorVersioned*>(&tensor));
        is_taken = true;
        const Addresses all(view);
        while (bytes.remaining_bytes() > 0) {
            try {
                view = changed(bytes, view);
            } catch (const std::invalid_argument&) {
                continue;
            }
            if (!all.contain(Addresses(view))) std::abort();
            (void)view.is_contiguous();
            (void)view.is_contiguous(MemoryOrder::column_major);
            if (view.is_unique() && view.required_size_bytes() < view.size_bytes()) std::abort();
            try {
                check_dense(view);
            } catch (const std::invalid_argument&) {  // strides of a view without elements can be too large
            }
            if (!view.is_readonly()) (void)view.to_dlpack();
        }
    } catch (const std::invalid_argument&) {
    }
    if (deleted != (is_taken ? 1 : 0)) std::abort();
    return 0;
}
