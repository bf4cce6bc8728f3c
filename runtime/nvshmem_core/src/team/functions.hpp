// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/nvshmem/status.hpp>
#include <cubind/nvshmem_core/detail/operand.hpp>
#include <cubind/nvshmem_core/reduction.hpp>
#include <cubind/result.hpp>

#include <cstddef>

namespace CUBIND_NAMESPACE::nvshmem::detail {

/// A collective of NVSHMEM: team, destination, source, number of elements, stream.
using Collective = Result<nvshmemx_status>(nvshmem_team_t, void*, const void*, std::size_t, cudaStream_t) noexcept;

/// Returns the function for this type, which NVSHMEM has: Reduction::element_type() checks it when a program is compiled.
Collective* reduction(ReductionKind kind, ElementType type) noexcept;
Collective* scattered_reduction(ReductionKind kind, ElementType type) noexcept;

/// A collective that copies elements, and the number of its own elements in one of the caller's.
struct CopyFunction {
    Collective* function;
    std::size_t factor;
};

/// Returns the function that gathers the elements, or that exchanges them between all PEs.
CopyFunction gather_of(const Operand& destination, const Operand& source) noexcept;
CopyFunction exchange_of(const Operand& destination, const Operand& source) noexcept;

/// Copies elements of `root` to all PEs.
Result<nvshmemx_status> broadcast_elements(nvshmem_team_t team, const Operand& destination, const Operand& source, int root,
                                           cudaStream_t stream) noexcept;

}  // namespace CUBIND_NAMESPACE::nvshmem::detail
