// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "support/driver_names.hpp"

namespace CUBIND_NAMESPACE::sim::management {

namespace {

struct Row {
    int release;
    int branch;
};

// Branches of NVIDIA's driver, latest first.
constexpr Row rows[] = {
    {13000, 580}, {12090, 575}, {12080, 570}, {12060, 560}, {12050, 555},
    {12040, 550}, {12030, 545}, {12020, 535}, {12010, 530}, {12000, 525},
};

// Later branches are not known. Each later release adds 5, so that later drivers have greater numbers.
int branch_of(int release) noexcept {
    constexpr Row newest = rows[0];
    if (release > newest.release) return newest.branch + (release - newest.release) / 2;
    int branch = newest.branch;
    for (const Row& row : rows) {
        branch = row.branch;
        if (release >= row.release) break;
    }
    return branch;
}

}  // namespace

std::string driver_version(int release) {
    return std::to_string(branch_of(release)) + ".00";
}

std::string driver_branch(int release) {
    return "r" + std::to_string(branch_of(release)) + "_00";
}

std::string library_version(int release) {
    return std::to_string(release / 1000) + "." + driver_version(release);
}

}  // namespace CUBIND_NAMESPACE::sim::management
