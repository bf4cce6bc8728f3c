// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "mismatches.hpp"

namespace cubind::info {

std::vector<Mismatch> find_mismatches(const Facts& facts) {
    std::vector<Mismatch> found;
    find_search_mismatches(facts, found);
    find_version_mismatches(facts, found);
    return found;
}

}  // namespace cubind::info
