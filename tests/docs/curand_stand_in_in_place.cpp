// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "curand_stand_in.hpp"

namespace {

const cubind::testing::ScopedCurandStandIn for_the_program;

}  // namespace
