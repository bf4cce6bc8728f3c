// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/runtime.hpp>

#include "question.hpp"

namespace answers {

using namespace cubind::runtime;

/// Texts of values of the runtime API. Handles and addresses are printed by kind, because their values differ from run to run.
template <>
std::string text_of(cudaError_t status);
template <>
std::string text_of(cudaChannelFormatDesc format);
template <>
std::string text_of(cudaExtent extent);
template <>
std::string text_of(cudaPitchedPtr memory);
template <>
std::string text_of(cudaPointerAttributes pointer);
template <>
std::string text_of(cudaFuncAttributes function);
template <>
std::string text_of(cudaGraphExecUpdateResultInfo update);
template <>
std::string text_of(cudaGraphInstantiateParams parameters);
template <>
std::string text_of(cudaMemcpy3DParms copy);
template <>
std::string text_of(cudaMemsetParams fill);
template <>
std::string text_of(cudaKernelNodeParams kernel);
template <>
std::string text_of(cudaMemAllocNodeParams memory);
template <>
std::string text_of(cudaResourceDesc resource);
template <>
std::string text_of(cudaTextureDesc sampling);
template <>
std::string text_of(cudaResourceViewDesc view);

}  // namespace answers
