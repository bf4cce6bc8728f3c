// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/sim/kernels.hpp>

#include <cstdio>

#include "machine/machine.hpp"
#include "work/kernel/illegal_address.hpp"

namespace CUBIND_NAMESPACE::sim {

void Launch::check_memory(const void* pointer, std::size_t count, std::size_t size) {
    const auto address = reinterpret_cast<std::uintptr_t>(pointer);
    std::size_t bytes = 0;
    if (count == 0) return;
    if (!__builtin_mul_overflow(count, size, &bytes)) {
        const auto memory = machine().memory.find(address);
        if (memory != nullptr && memory->contains(address, bytes)) return;
    }
    char text[100];
    std::snprintf(text, sizeof text, "%zu elements of %zu bytes at %p are not within device memory", count, size, pointer);
    throw IllegalAddress{text};
}

void detail::define(std::string name, Body body) {
    machine().bodies.define(std::move(name), std::move(body));
}

std::vector<Launch> launches() {
    return machine().launches.all();
}

void clear_launches() {
    machine().launches.clear();
}

}  // namespace CUBIND_NAMESPACE::sim
