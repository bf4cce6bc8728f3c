// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace CUBIND_NAMESPACE::detail {

/// The parts of an architecture's name: "sm_90a" is 90, 'a' and not virtual; "compute_100" is 100, no suffix ('\0') and virtual.
struct Architecture {
    unsigned number;
    char suffix;
    bool is_virtual;
};

/// Returns the parts, or std::nullopt if the text does not name an architecture.
CUBIND_EXPORT std::optional<Architecture> parse_architecture(std::string_view text);

/// Returns the architecture that is used if the options state none, such as "sm_90". It is the architecture of the current
/// device, or of device 0 if no context is current. If there is no device, throws an Error that advises to set an architecture
/// in `owner`, the class of the options.
CUBIND_EXPORT std::string current_architecture(const char* owner);

/// Returns whether the current device is simulated and would run machine code of this architecture if it were a GPU. A simulated
/// device runs PTX, so such code is compiled and linked to PTX. Machine code of other architectures, which the device could not
/// run either way, stays machine code. On a GPU the driver is not called.
bool is_architecture_of_simulated_device(const std::string& arch);

}  // namespace CUBIND_NAMESPACE::detail
