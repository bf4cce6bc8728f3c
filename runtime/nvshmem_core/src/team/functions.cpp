// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "team/functions.hpp"

#include <cubind/nvshmem/collectives_on_stream.hpp>

#include <bit>
#include <cstdint>

namespace CUBIND_NAMESPACE::nvshmem::detail {
namespace {

template <class Element>
using Typed = Result<nvshmemx_status>(nvshmem_team_t, Element*, const Element*, std::size_t, cudaStream_t) noexcept;

template <class Element>
Result<nvshmemx_status> call(Typed<Element>* function, nvshmem_team_t team, void* destination, const void* source,
                             std::size_t count, cudaStream_t stream) noexcept {
    return function(team, static_cast<Element*>(destination), static_cast<const Element*>(source), count, stream);
}

/// A function of NVSHMEM for elements of one type, with addresses instead of typed pointers.
template <auto function>
constexpr Collective* erased =
    [](nvshmem_team_t team, void* destination, const void* source, std::size_t count, cudaStream_t stream) noexcept {
        return call(+function, team, destination, source, count, stream);
    };

// The rows are in the order of ReductionKind and the columns in that of ElementType. Bitwise reductions have no others.
constexpr std::size_t type_count = 12;
static_assert(static_cast<std::size_t>(ElementType::bfloat16) + 1 == type_count);

constexpr Collective* reductions[][type_count] = {
    {erased<nvshmemx_int8_sum_reduce_on_stream>, erased<nvshmemx_int16_sum_reduce_on_stream>,
     erased<nvshmemx_int32_sum_reduce_on_stream>, erased<nvshmemx_int64_sum_reduce_on_stream>,
     erased<nvshmemx_uint8_sum_reduce_on_stream>, erased<nvshmemx_uint16_sum_reduce_on_stream>,
     erased<nvshmemx_uint32_sum_reduce_on_stream>, erased<nvshmemx_uint64_sum_reduce_on_stream>,
     erased<nvshmemx_float_sum_reduce_on_stream>, erased<nvshmemx_double_sum_reduce_on_stream>,
     erased<nvshmemx_half_sum_reduce_on_stream>, erased<nvshmemx_bfloat16_sum_reduce_on_stream>},
    {erased<nvshmemx_int8_prod_reduce_on_stream>, erased<nvshmemx_int16_prod_reduce_on_stream>,
     erased<nvshmemx_int32_prod_reduce_on_stream>, erased<nvshmemx_int64_prod_reduce_on_stream>,
     erased<nvshmemx_uint8_prod_reduce_on_stream>, erased<nvshmemx_uint16_prod_reduce_on_stream>,
     erased<nvshmemx_uint32_prod_reduce_on_stream>, erased<nvshmemx_uint64_prod_reduce_on_stream>,
     erased<nvshmemx_float_prod_reduce_on_stream>, erased<nvshmemx_double_prod_reduce_on_stream>,
     erased<nvshmemx_half_prod_reduce_on_stream>, erased<nvshmemx_bfloat16_prod_reduce_on_stream>},
    {erased<nvshmemx_int8_min_reduce_on_stream>, erased<nvshmemx_int16_min_reduce_on_stream>,
     erased<nvshmemx_int32_min_reduce_on_stream>, erased<nvshmemx_int64_min_reduce_on_stream>,
     erased<nvshmemx_uint8_min_reduce_on_stream>, erased<nvshmemx_uint16_min_reduce_on_stream>,
     erased<nvshmemx_uint32_min_reduce_on_stream>, erased<nvshmemx_uint64_min_reduce_on_stream>,
     erased<nvshmemx_float_min_reduce_on_stream>, erased<nvshmemx_double_min_reduce_on_stream>,
     erased<nvshmemx_half_min_reduce_on_stream>, erased<nvshmemx_bfloat16_min_reduce_on_stream>},
    {erased<nvshmemx_int8_max_reduce_on_stream>, erased<nvshmemx_int16_max_reduce_on_stream>,
     erased<nvshmemx_int32_max_reduce_on_stream>, erased<nvshmemx_int64_max_reduce_on_stream>,
     erased<nvshmemx_uint8_max_reduce_on_stream>, erased<nvshmemx_uint16_max_reduce_on_stream>,
     erased<nvshmemx_uint32_max_reduce_on_stream>, erased<nvshmemx_uint64_max_reduce_on_stream>,
     erased<nvshmemx_float_max_reduce_on_stream>, erased<nvshmemx_double_max_reduce_on_stream>,
     erased<nvshmemx_half_max_reduce_on_stream>, erased<nvshmemx_bfloat16_max_reduce_on_stream>},
    {erased<nvshmemx_int8_and_reduce_on_stream>, erased<nvshmemx_int16_and_reduce_on_stream>,
     erased<nvshmemx_int32_and_reduce_on_stream>, erased<nvshmemx_int64_and_reduce_on_stream>,
     erased<nvshmemx_uint8_and_reduce_on_stream>, erased<nvshmemx_uint16_and_reduce_on_stream>,
     erased<nvshmemx_uint32_and_reduce_on_stream>, erased<nvshmemx_uint64_and_reduce_on_stream>},
    {erased<nvshmemx_int8_or_reduce_on_stream>, erased<nvshmemx_int16_or_reduce_on_stream>,
     erased<nvshmemx_int32_or_reduce_on_stream>, erased<nvshmemx_int64_or_reduce_on_stream>,
     erased<nvshmemx_uint8_or_reduce_on_stream>, erased<nvshmemx_uint16_or_reduce_on_stream>,
     erased<nvshmemx_uint32_or_reduce_on_stream>, erased<nvshmemx_uint64_or_reduce_on_stream>},
    {erased<nvshmemx_int8_xor_reduce_on_stream>, erased<nvshmemx_int16_xor_reduce_on_stream>,
     erased<nvshmemx_int32_xor_reduce_on_stream>, erased<nvshmemx_int64_xor_reduce_on_stream>,
     erased<nvshmemx_uint8_xor_reduce_on_stream>, erased<nvshmemx_uint16_xor_reduce_on_stream>,
     erased<nvshmemx_uint32_xor_reduce_on_stream>, erased<nvshmemx_uint64_xor_reduce_on_stream>},
};
constexpr Collective* scattered_reductions[][type_count] = {
    {erased<nvshmemx_int8_sum_reducescatter_on_stream>, erased<nvshmemx_int16_sum_reducescatter_on_stream>,
     erased<nvshmemx_int32_sum_reducescatter_on_stream>, erased<nvshmemx_int64_sum_reducescatter_on_stream>,
     erased<nvshmemx_uint8_sum_reducescatter_on_stream>, erased<nvshmemx_uint16_sum_reducescatter_on_stream>,
     erased<nvshmemx_uint32_sum_reducescatter_on_stream>, erased<nvshmemx_uint64_sum_reducescatter_on_stream>,
     erased<nvshmemx_float_sum_reducescatter_on_stream>, erased<nvshmemx_double_sum_reducescatter_on_stream>,
     erased<nvshmemx_half_sum_reducescatter_on_stream>, erased<nvshmemx_bfloat16_sum_reducescatter_on_stream>},
    {erased<nvshmemx_int8_prod_reducescatter_on_stream>, erased<nvshmemx_int16_prod_reducescatter_on_stream>,
     erased<nvshmemx_int32_prod_reducescatter_on_stream>, erased<nvshmemx_int64_prod_reducescatter_on_stream>,
     erased<nvshmemx_uint8_prod_reducescatter_on_stream>, erased<nvshmemx_uint16_prod_reducescatter_on_stream>,
     erased<nvshmemx_uint32_prod_reducescatter_on_stream>, erased<nvshmemx_uint64_prod_reducescatter_on_stream>,
     erased<nvshmemx_float_prod_reducescatter_on_stream>, erased<nvshmemx_double_prod_reducescatter_on_stream>,
     erased<nvshmemx_half_prod_reducescatter_on_stream>, erased<nvshmemx_bfloat16_prod_reducescatter_on_stream>},
    {erased<nvshmemx_int8_min_reducescatter_on_stream>, erased<nvshmemx_int16_min_reducescatter_on_stream>,
     erased<nvshmemx_int32_min_reducescatter_on_stream>, erased<nvshmemx_int64_min_reducescatter_on_stream>,
     erased<nvshmemx_uint8_min_reducescatter_on_stream>, erased<nvshmemx_uint16_min_reducescatter_on_stream>,
     erased<nvshmemx_uint32_min_reducescatter_on_stream>, erased<nvshmemx_uint64_min_reducescatter_on_stream>,
     erased<nvshmemx_float_min_reducescatter_on_stream>, erased<nvshmemx_double_min_reducescatter_on_stream>,
     erased<nvshmemx_half_min_reducescatter_on_stream>, erased<nvshmemx_bfloat16_min_reducescatter_on_stream>},
    {erased<nvshmemx_int8_max_reducescatter_on_stream>, erased<nvshmemx_int16_max_reducescatter_on_stream>,
     erased<nvshmemx_int32_max_reducescatter_on_stream>, erased<nvshmemx_int64_max_reducescatter_on_stream>,
     erased<nvshmemx_uint8_max_reducescatter_on_stream>, erased<nvshmemx_uint16_max_reducescatter_on_stream>,
     erased<nvshmemx_uint32_max_reducescatter_on_stream>, erased<nvshmemx_uint64_max_reducescatter_on_stream>,
     erased<nvshmemx_float_max_reducescatter_on_stream>, erased<nvshmemx_double_max_reducescatter_on_stream>,
     erased<nvshmemx_half_max_reducescatter_on_stream>, erased<nvshmemx_bfloat16_max_reducescatter_on_stream>},
    {erased<nvshmemx_int8_and_reducescatter_on_stream>, erased<nvshmemx_int16_and_reducescatter_on_stream>,
     erased<nvshmemx_int32_and_reducescatter_on_stream>, erased<nvshmemx_int64_and_reducescatter_on_stream>,
     erased<nvshmemx_uint8_and_reducescatter_on_stream>, erased<nvshmemx_uint16_and_reducescatter_on_stream>,
     erased<nvshmemx_uint32_and_reducescatter_on_stream>, erased<nvshmemx_uint64_and_reducescatter_on_stream>},
    {erased<nvshmemx_int8_or_reducescatter_on_stream>, erased<nvshmemx_int16_or_reducescatter_on_stream>,
     erased<nvshmemx_int32_or_reducescatter_on_stream>, erased<nvshmemx_int64_or_reducescatter_on_stream>,
     erased<nvshmemx_uint8_or_reducescatter_on_stream>, erased<nvshmemx_uint16_or_reducescatter_on_stream>,
     erased<nvshmemx_uint32_or_reducescatter_on_stream>, erased<nvshmemx_uint64_or_reducescatter_on_stream>},
    {erased<nvshmemx_int8_xor_reducescatter_on_stream>, erased<nvshmemx_int16_xor_reducescatter_on_stream>,
     erased<nvshmemx_int32_xor_reducescatter_on_stream>, erased<nvshmemx_int64_xor_reducescatter_on_stream>,
     erased<nvshmemx_uint8_xor_reducescatter_on_stream>, erased<nvshmemx_uint16_xor_reducescatter_on_stream>,
     erased<nvshmemx_uint32_xor_reducescatter_on_stream>, erased<nvshmemx_uint64_xor_reducescatter_on_stream>},
};

// Elements of 2, 4 and 8 bytes are copied as unsigned integers, and others as bytes.
constexpr Collective* gathers[] = {nullptr, erased<nvshmemx_uint16_fcollect_on_stream>,
                                   erased<nvshmemx_uint32_fcollect_on_stream>, erased<nvshmemx_uint64_fcollect_on_stream>};
constexpr Collective* exchanges[] = {nullptr, erased<nvshmemx_uint16_alltoall_on_stream>,
                                     erased<nvshmemx_uint32_alltoall_on_stream>, erased<nvshmemx_uint64_alltoall_on_stream>};

/// Returns the size of the unsigned integers as which the elements can be copied, or 1.
std::size_t unit_of(const Operand& destination, const Operand& source) noexcept {
    const std::size_t size = source.element_size;
    const bool has_function = size <= 8 && std::has_single_bit(size);
    return has_function && (destination.address | source.address) % size == 0 ? size : 1;
}

CopyFunction copy_function(const Operand& destination, const Operand& source, Collective* const (&by_size)[4],
                           Collective* of_bytes) noexcept {
    const std::size_t unit = unit_of(destination, source);
    return unit == 1 ? CopyFunction{of_bytes, source.element_size} : CopyFunction{by_size[std::countr_zero(unit)], 1};
}

std::size_t row_of(ReductionKind kind) noexcept {
    return static_cast<std::size_t>(kind);
}

}  // namespace

Collective* reduction(ReductionKind kind, ElementType type) noexcept {
    return reductions[row_of(kind)][static_cast<std::size_t>(type)];
}

Collective* scattered_reduction(ReductionKind kind, ElementType type) noexcept {
    return scattered_reductions[row_of(kind)][static_cast<std::size_t>(type)];
}

CopyFunction gather_of(const Operand& destination, const Operand& source) noexcept {
    return copy_function(destination, source, gathers, erased<nvshmemx_fcollectmem_on_stream>);
}

CopyFunction exchange_of(const Operand& destination, const Operand& source) noexcept {
    return copy_function(destination, source, exchanges, erased<nvshmemx_alltoallmem_on_stream>);
}

Result<nvshmemx_status> broadcast_elements(nvshmem_team_t team, const Operand& destination, const Operand& source, int root,
                                           cudaStream_t stream) noexcept {
    const auto typed = [&]<class Element>(auto function, Element) {
        return function(team, static_cast<Element*>(destination.pointer()), static_cast<const Element*>(source.pointer()),
                        source.count, root, stream);
    };
    switch (unit_of(destination, source)) {
        case 2:
            return typed(nvshmemx_uint16_broadcast_on_stream, std::uint16_t());
        case 4:
            return typed(nvshmemx_uint32_broadcast_on_stream, std::uint32_t());
        case 8:
            return typed(nvshmemx_uint64_broadcast_on_stream, std::uint64_t());
        default:
            return nvshmemx_broadcastmem_on_stream(team, destination.pointer(), source.pointer(), source.size(), root, stream);
    }
}

}  // namespace CUBIND_NAMESPACE::nvshmem::detail
