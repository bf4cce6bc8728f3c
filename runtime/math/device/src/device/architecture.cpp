// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "device/architecture.hpp"

#include <cctype>

#include "errors/misuse.hpp"
#include "program/options/architecture.hpp"

namespace CUBIND_NAMESPACE::math::device::detail {

using cubind::detail::parse_architecture;
using cubind::detail::throw_misuse;

std::string architecture_of(const std::string& arch, const char* owner) {
    if (arch.empty()) return cubind::detail::current_architecture(owner);
    const bool is_number = std::isdigit(static_cast<unsigned char>(arch.front())) != 0;  // as Device::arch() returns it
    const auto parts = parse_architecture(is_number ? "sm_" + arch : arch);
    if (!parts) throw_misuse(owner, "::arch is \"", arch, "\", which is no architecture: write it as \"sm_90\"");
    if (parts->suffix != '\0') {
        throw_misuse(owner, "::arch is \"", arch, "\", but libmathdx's code is for all devices of the architecture: write \"sm_",
                     parts->number, "\"");
    }
    return "sm_" + std::to_string(parts->number);
}

long long number_of(const std::string& arch) {
    return 10LL * parse_architecture(arch)->number;
}

}  // namespace CUBIND_NAMESPACE::math::device::detail
