// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "machine/symbols.hpp"

#include <cubind/driver/strings.hpp>

#include <algorithm>
#include <new>
#include <string>
#include <string_view>

#include "machine/current.hpp"
#include "machine/machine.hpp"
#include "support/driver_log.hpp"

namespace CUBIND_NAMESPACE::sim {

namespace {

std::size_t index_of(const Symbol& symbol) noexcept {
    return static_cast<std::size_t>(&symbol - all_symbols().begin());
}

// The device of the current context is the likely one, but a call may concern another.
std::string fault_with(driver::CUresult status) {
    const Context* const current = current_context();
    if (current != nullptr && current->device.fault() == status) return current->device.fault_text();
    for (const auto& device : machine().devices) {
        if (device->fault() == status) return device->fault_text();
    }
    return {};
}

}  // namespace

constinit HiddenSymbols is_hidden;

void hide_symbols_after(int release) noexcept {
    for (const Symbol& symbol : all_symbols()) is_hidden.set(index_of(symbol), symbol.since > release);
}

driver::CUresult status_of_exception() noexcept {
    return status_of_exception(driver::CUDA_ERROR_OUT_OF_MEMORY, driver::CUDA_ERROR_OPERATING_SYSTEM, driver::CUDA_ERROR_UNKNOWN);
}

void log_failure(std::size_t index, driver::CUresult status) noexcept {
    DriverLog& log = DriverLog::of_process();
    const bool has_reason = DriverLog::take_has_written();
    if (status == driver::CUDA_ERROR_NOT_READY) return;
    try {
        const std::string reason = has_reason ? std::string() : fault_with(status);
        if (!reason.empty()) log.write(driver::CU_LOG_LEVEL_ERROR, reason);
        // This is how a GPU's driver ends what it writes about a call. Readers of the log find the lines of a call by it.
        log.write(driver::CU_LOG_LEVEL_ERROR, "Returning " + std::to_string(status) + " (" + to_string(status) + ") from " +
                                                  all_symbols().begin()[index].name);
    } catch (const std::bad_alloc&) {  // the log lacks the failure
    }
    static_cast<void>(DriverLog::take_has_written());
}

void log_unsupported(std::size_t index) noexcept {
    if (is_hidden[index]) return;  // only a call that no lookup of symbols led to
    try {
        DriverLog::of_process().write(driver::CU_LOG_LEVEL_ERROR, std::string("the simulated driver does not implement ") +
                                                                      all_symbols().begin()[index].name);
    } catch (const std::bad_alloc&) {  // the log lacks the reason
    }
}

const Symbol* find_symbol(const char* name) noexcept {
    const Symbols symbols = all_symbols();
    const std::string_view requested = name;
    if (simulation_mark().name == requested) return &simulation_mark();
    const Symbol* const found = std::lower_bound(symbols.begin(), symbols.end(), requested,
                                                 [](const Symbol& symbol, std::string_view text) { return symbol.name < text; });
    const bool exists = found != symbols.end() && found->name == requested && !is_hidden[index_of(*found)];
    return exists ? found : nullptr;
}

}  // namespace CUBIND_NAMESPACE::sim
