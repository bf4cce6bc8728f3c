// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "solver_stand_in.hpp"

namespace {

const cubind::testing::ScopedSolverStandIn for_the_program;

}  // namespace
