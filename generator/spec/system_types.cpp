// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "spec/system_types.hpp"

#include <algorithm>
#include <array>

namespace cubind::gen::spec {
namespace {

constexpr std::array system_types = std::to_array<SystemType>({
    {"FILE", "stdio.h", false},
    {"addrinfo", "netdb.h"},
    {"iovec", "sys/uio.h"},
    {"sockaddr", "sys/socket.h"},
    {"sockaddr_in", "netinet/in.h"},
    {"sockaddr_in6", "netinet/in.h"},
    {"sockaddr_storage", "sys/socket.h"},
    {"stat", "sys/stat.h"},
    {"timespec", "time.h"},
    {"timeval", "sys/time.h"},
    {"tm", "time.h"},
});

}  // namespace

const SystemType* find_system_type(const std::string& name) {
    const auto found =
        std::find_if(system_types.begin(), system_types.end(), [&](const SystemType& type) { return type.name == name; });
    return found != system_types.end() ? &*found : nullptr;
}

std::string system_type_names() {
    std::string names;
    for (const auto& type : system_types) {
        if (type.has_layout) names += (names.empty() ? "" : ", ") + std::string(type.name);
    }
    return names;
}

}  // namespace cubind::gen::spec
