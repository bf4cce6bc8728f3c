// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "sparse_record.hpp"

namespace {

struct StandIns : cubind::testing::ScopedSparseStandIns {
    StandIns() { cubind::testing::sparse_record().entries = 7; }
};
const StandIns for_the_program;

}  // namespace
