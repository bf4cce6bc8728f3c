// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "options/current_architecture.hpp"

#include <cubind/core/device.hpp>
#include <cubind/error.hpp>

namespace cubind::detail {

std::string current_architecture(const char* owner) {
    try {
        return std::string("sm_").append(Device().arch());
    } catch (const Error& failure) {
        std::string advice = "The architecture of the current device was asked for, since ";
        throw Error(failure, advice.append(owner).append("::arch is empty: without a device, name one, e.g. \"sm_90\""));
    }
}

}  // namespace cubind::detail
