// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Symbols that only a simulated driver exports. Like the generated symbols, this file is compiled twice: for cubind::sim and for
// libcuda.so.1.
#include "machine/machine.hpp"
#include "machine/symbols.hpp"

#ifdef CUBIND_SIM_EXPORTED
#define CUBIND_SIM_SYMBOL(symbol) symbol
#define CUBIND_SIM_VISIBILITY [[gnu::visibility("default")]]
#else
#define CUBIND_SIM_SYMBOL(symbol) sim_symbol_##symbol
#define CUBIND_SIM_VISIBILITY
#endif

namespace CUBIND_NAMESPACE::sim {

extern "C" {

// The mark of the simulation: no other driver exports it. cubind::core looks it up and never calls it.
CUBIND_SIM_VISIBILITY int CUBIND_SIM_SYMBOL(cubindSimulation)() {
    return 1;
}

#ifdef CUBIND_SIM_EXPORTED

// The library exports the symbols of all releases. cubind's loader calls this function instead of dlsym, so that functions of
// later releases than the simulated one are missing, as in an older driver. Returns null for such symbols, and for unknown ones.
CUBIND_SIM_VISIBILITY void* cubindSimulatedSymbol(const char* name) noexcept {
    try {
        machine();  // selects the release
    } catch (...) {
        // If memory is exhausted, the symbols of all releases exist.
    }
    const Symbol* const found = find_symbol(name);
    return found != nullptr ? found->address : nullptr;
}

#endif

}  // extern "C"

const Symbol& simulation_mark() noexcept {
    static const Symbol mark = {"cubindSimulation", reinterpret_cast<void*>(CUBIND_SIM_SYMBOL(cubindSimulation)), 2000, true};
    return mark;
}

}  // namespace CUBIND_NAMESPACE::sim
