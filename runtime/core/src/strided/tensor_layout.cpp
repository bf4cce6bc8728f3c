// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/array/tensor_map.hpp>
#include <cubind/core/strided/strided_view.hpp>

#include "errors/misuse.hpp"

namespace CUBIND_NAMESPACE {
namespace {

driver::CUtensorMapDataType integer_type(DataType type, driver::CUtensorMapDataType of_4_bytes,
                                         driver::CUtensorMapDataType of_8_bytes) {
    switch (type.size()) {
        case 1:
            return driver::CU_TENSOR_MAP_DATA_TYPE_UINT8;
        case 2:
            return driver::CU_TENSOR_MAP_DATA_TYPE_UINT16;
        case 4:
            return of_4_bytes;
        default:
            return of_8_bytes;
    }
}

driver::CUtensorMapDataType type_in_tensor(DataType type) {
    const std::size_t size = type.size();
    const bool is_number = type.lanes == 1 && size * 8 == type.bits && (size == 1 || size == 2 || size == 4 || size == 8);
    if (is_number) {
        switch (type.kind) {
            case DataTypeKind::unsigned_integer:
                return integer_type(type, driver::CU_TENSOR_MAP_DATA_TYPE_UINT32, driver::CU_TENSOR_MAP_DATA_TYPE_UINT64);
            case DataTypeKind::signed_integer:
                return integer_type(type, driver::CU_TENSOR_MAP_DATA_TYPE_INT32, driver::CU_TENSOR_MAP_DATA_TYPE_INT64);
            case DataTypeKind::floating_point:
                if (size == 2) return driver::CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
                if (size == 4) return driver::CU_TENSOR_MAP_DATA_TYPE_FLOAT32;
                if (size == 8) return driver::CU_TENSOR_MAP_DATA_TYPE_FLOAT64;
                break;
            case DataTypeKind::bfloat:
                return driver::CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
            default:
                if (size == 1) return driver::CU_TENSOR_MAP_DATA_TYPE_UINT8;
        }
    }
    detail::throw_misuse(
        "no tensor map has elements of ", to_string(type),
        ": the numbers are integers of 1, 2, 4 or 8 bytes, float16, bfloat16, float32, float64, or formats of 8 bits; "
        "name another CU_TENSOR_MAP_DATA_TYPE_ in a TensorLayout");
}

}  // namespace

TensorLayout tensor_layout(const StridedView& view) {
    if (view.rank() == 0 || view.rank() > TensorExtents::max_rank) {
        detail::throw_misuse("a tensor map has from 1 to ", TensorExtents::max_rank, " dimensions, and the view of shape ",
                             to_string(view.shape()), " has ", view.rank());
    }
    if (!view.is_device_accessible()) {
        detail::throw_misuse("the view of shape ", to_string(view.shape()),
                             " is in pageable host memory, which devices cannot access; copy it to device memory");
    }
    const std::size_t innermost = view.rank() - 1;
    if (view.shape()[innermost] > 1 && view.strides()[innermost] != 1) {
        detail::throw_misuse("the innermost dimension of a tensor map has adjacent elements, but the view with strides ",
                             to_string(view.strides()), " has a stride of ", view.strides()[innermost], " in its last dimension");
    }
    TensorLayout layout{.address = reinterpret_cast<driver::CUdeviceptr>(view.data()), .type = type_in_tensor(view.dtype())};
    for (std::size_t i = view.rank(); i-- > 0;) {
        layout.shape.push_back(static_cast<std::uint64_t>(view.shape()[i]));
        if (i == innermost) continue;
        if (view.strides()[i] < 0) {
            detail::throw_misuse("a tensor map has no negative strides, but the view has the strides ",
                                 to_string(view.strides()));
        }
        layout.strides.push_back(static_cast<std::uint64_t>(view.strides()[i]) * view.dtype().size());
    }
    return layout;
}

}  // namespace CUBIND_NAMESPACE
