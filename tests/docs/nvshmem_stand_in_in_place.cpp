// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "nvshmem_stand_in.hpp"

namespace {

const cubind::testing::ScopedNvshmemStandIn for_the_program;

}  // namespace
