// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/memory/copy.hpp>
#include <cubind/core/memory/fill.hpp>
#include <cubind/driver/types.hpp>
#include <cubind/result.hpp>

#include <string>

#include "graph/node_records.hpp"

/// Parameters of copy and fill nodes: checks, the driver's form, objects, and explanations of failures.
namespace CUBIND_NAMESPACE::detail {

/// Throws std::invalid_argument if the operands do not fit or are empty.
void check_node(const CopyOperands& operands);
void check_node(const BoxOperands& operands);
void check_node(const FillArguments& arguments);

/// Returns the parameters in the driver's form. Queries the kind of memory that is not in a Buffer (cuPointerGetAttributes).
driver::CUDA_MEMCPY3D native(const CopyOperands& operands);
driver::CUDA_MEMCPY3D native(const BoxOperands& operands);
driver::CUDA_MEMSET_NODE_PARAMS native(const FillArguments& arguments);

/// Returns a record with the buffers and arrays of the operands.
NodeRecord record_of(const CopyOperands& operands);
NodeRecord record_of(const BoxOperands& operands);
NodeRecord record_of(const FillArguments& arguments);

/// Throws the error of a call that failed, with a description of the memory and further advice.
[[noreturn]] void throw_rejected(Result<driver::CUresult> failed, const CopyOperands& operands, const std::string& advice = {});
[[noreturn]] void throw_rejected(Result<driver::CUresult> failed, const BoxOperands& operands, const std::string& advice = {});
[[noreturn]] void throw_rejected(Result<driver::CUresult> failed, const FillArguments& arguments, const std::string& advice = {});

}  // namespace CUBIND_NAMESPACE::detail
