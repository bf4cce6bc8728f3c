// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "nccl_stand_in.hpp"

namespace {

const cubind::testing::ScopedNcclStandIn for_the_program;

}  // namespace
