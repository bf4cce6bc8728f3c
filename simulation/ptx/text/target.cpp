// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "ptx/text/target.hpp"

#include <algorithm>
#include <iterator>

namespace CUBIND_NAMESPACE::sim::ptx {

namespace {

/// The first PTX version of each target. Targets later than these are accepted with any version.
struct Row {
    int target;
    int version;
};

constexpr Row rows[] = {
    {20, 2000}, {30, 3000}, {32, 4000}, {35, 3010}, {37, 4010}, {50, 4000}, {52, 4010}, {53, 4020}, {60, 5000}, {61, 5000},
    {62, 5000}, {70, 6000}, {72, 6010}, {75, 6030}, {80, 7000}, {86, 7010}, {87, 7040}, {88, 9000}, {89, 7080}, {90, 7080},
};

// Targets with the suffix 'a' exist since sm_90a (PTX 8.0), those with the suffix 'f' since PTX 8.8.
bool is_known_target(const ModuleInterface& image) noexcept {
    if (image.variant != 0 && image.target < (image.variant == 'a' ? 90 : 100)) return false;
    const int variant_version = image.variant == 'a' ? 8000 : image.variant == 'f' ? 8080 : 0;
    if (image.version < variant_version) return false;
    if (image.target > std::prev(std::end(rows))->target) return true;
    return std::any_of(std::begin(rows), std::end(rows),
                       [&](const Row& row) { return row.target == image.target && image.version >= row.version; });
}

// Checks whether a device runs code for another capability of its family: the major numbers are equal, and the device
// is not older.
bool is_in_family(int target, int capability) noexcept {
    return capability / 10 == target / 10 && capability >= target;
}

std::string format_version(int major, int minor) {
    return std::to_string(major) + "." + std::to_string(minor);
}

}  // namespace

bool can_run(int target, char variant, int capability) noexcept {
    return variant == 'a' ? target == capability : variant == 'f' ? is_in_family(target, capability) : target <= capability;
}

std::string find_target_problem(const ModuleInterface& image, int capability) {
    std::string target = "sm_" + std::to_string(image.target);
    if (image.variant != 0) target += image.variant;
    if (!is_known_target(image))
        return "PTX " + format_version(image.version / 1000, image.version % 1000 / 10) + " has no target " + target;
    if (can_run(image.target, image.variant, capability)) return {};
    return "the code is for " + target + ", which a device of compute capability " +
           format_version(capability / 10, capability % 10) + " cannot run";
}

}  // namespace CUBIND_NAMESPACE::sim::ptx
