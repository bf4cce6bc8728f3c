// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "cutensor_stand_in.hpp"

namespace {

const cubind::testing::ScopedCutensorStandIn for_the_program;
const bool computes = cubind::testing::cutensor_stand_in().computes = true;

}  // namespace
