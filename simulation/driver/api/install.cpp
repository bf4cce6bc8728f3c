// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/driver/loading.hpp>
#include <cubind/sim/install.hpp>
#include <cubind/substitute.hpp>

#include "machine/machine.hpp"
#include "machine/options.hpp"
#include "machine/symbols.hpp"
#include "ptx/fidelity/instruction_counts.hpp"

namespace CUBIND_NAMESPACE::sim {

namespace {

void* address_of(const char* name) noexcept {
    const Symbol* const symbol = find_symbol(name);
    return symbol != nullptr ? symbol->address : nullptr;
}

constexpr Substitute simulated_driver{.path = "simulated driver", .found_via = "sim::install()", .find = address_of};

}  // namespace

void install(const Options& options) {
    check_options(options);
    replace_machine(std::make_unique<Machine>(options));
    substitute(driver::library(), driver::all_entry_points(), &simulated_driver);
}

void uninstall() noexcept {
    substitute(driver::library(), driver::all_entry_points(), nullptr);
    replace_machine(nullptr);
}

std::map<std::string, unsigned long> unsimulated_calls() {
    std::map<std::string, unsigned long> calls;
    std::size_t index = 0;
    for (const Symbol& symbol : all_symbols()) {
        if (const unsigned long count = unsupported_calls(index++)) calls[symbol.name] = count;
    }
    return calls;
}

std::vector<ExecutedInstruction> executed_instructions() {
    return ptx::classified_executions();
}

bool is_simulated(const std::string& name) {
    const Symbol* const symbol = find_symbol(name.c_str());
    return symbol != nullptr && symbol->is_simulated;
}

}  // namespace CUBIND_NAMESPACE::sim
