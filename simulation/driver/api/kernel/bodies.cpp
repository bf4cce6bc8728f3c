// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/sim/kernels.hpp>

#include <cstdio>
#include <string>
#include <string_view>

#include "machine/machine.hpp"
#include "objects/virtual/kernel_memory.hpp"
#include "work/kernel/body.hpp"
#include "work/kernel/illegal_address.hpp"

namespace CUBIND_NAMESPACE::sim {

void Launch::check_memory(const void* pointer, std::size_t count, std::size_t size) {
    const auto address = reinterpret_cast<std::uintptr_t>(pointer);
    std::size_t bytes = 0;
    if (count == 0) return;
    std::string problem = " are not within device memory";
    if (!__builtin_mul_overflow(count, size, &bytes)) {
        const auto memory = machine().memory.find(address);
        Context* const context = context_of_body();
        if (memory != nullptr && memory->contains(address, bytes)) {
            if (context == nullptr) return;
            problem = find_access_problem(*context, machine().opened_memory, *memory);
            if (problem.empty()) return;
            problem.replace(0, std::string_view(" is").size(), " are");
        }
    }
    char text[100];
    std::snprintf(text, sizeof text, "%zu elements of %zu bytes at %p", count, size, pointer);
    throw IllegalAddress{text + problem};
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
