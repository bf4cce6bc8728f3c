// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "cublaslt_stand_in.hpp"

namespace {

const cubind::testing::ScopedCublasLtStandIn for_the_program;

}  // namespace
