// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "ptx/target.hpp"

namespace cubind::sim::ptx {

namespace {

// Whether devices of one capability run what was written for another of their family: same major number, not older.
bool is_in_family(int target, int capability) noexcept {
    return capability / 10 == target / 10 && capability >= target;
}

std::string name(int target, char variant) {
    return "sm_" + std::to_string(target) + (variant != 0 ? std::string(1, variant) : std::string());
}

}  // namespace

std::string why_not_on(const Image& image, int capability) {
    const std::string target = name(image.target, image.variant);
    if (image.target < 90 && image.variant != 0) return "there is no target " + target;
    const bool can_run = image.variant == 'a'   ? image.target == capability
                         : image.variant == 'f' ? is_in_family(image.target, capability)
                                                : image.target <= capability;
    if (can_run) return {};
    return "the code is for " + target + ", which a device of compute capability " + std::to_string(capability / 10) + "." +
           std::to_string(capability % 10) + " cannot run";
}

}  // namespace cubind::sim::ptx
