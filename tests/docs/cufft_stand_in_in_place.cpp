// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "cufft_stand_in.hpp"

namespace {

const cubind::testing::ScopedCufftStandIn for_the_program;

}  // namespace
