// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/driver/types.hpp>

#include <optional>
#include <string_view>
#include <vector>

namespace CUBIND_NAMESPACE::sim {

/// Returns the numbers of the devices that a value of CUDA_VISIBLE_DEVICES selects, in their order, or nothing if it names a
/// device twice. The value is a list of numbers, or of the beginnings of UUIDs (as "GPU-" and hexadecimal digits), whichever its
/// first entry is. An entry that names no device, or more than one, ends the list.
std::optional<std::vector<int>> select_devices(std::string_view list, const std::vector<driver::CUuuid>& devices);

}  // namespace CUBIND_NAMESPACE::sim
