// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "cublas_stand_in.hpp"
#include "cublaslt_stand_in.hpp"

namespace {

const cubind::testing::ScopedCublasStandIn cublas_for_the_program;
const cubind::testing::ScopedCublasLtStandIn cublaslt_for_the_program;

}  // namespace
