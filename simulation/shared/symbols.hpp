// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <cstddef>
#include <new>
#include <stdexcept>
#include <system_error>

/// The symbols that a simulated library exports, and the counts of calls of those that it does not simulate. Each simulated
/// library has its own counts.
namespace CUBIND_NAMESPACE::sim {

struct Symbol {
    const char* name;
    void* address;
    int since;  ///< number of the first release whose library exports it
    bool is_simulated;
};

/// All symbols, sorted by name.
struct Symbols {
    const Symbol* first;
    const Symbol* last;
    const Symbol* begin() const noexcept { return first; }
    const Symbol* end() const noexcept { return last; }
};

/// Limit of the number of symbols of a library.
inline constexpr std::size_t max_symbols = 2048;

/// Counts a call of a symbol that is not simulated, or that the simulated release lacks. Indexes are positions in the library's
/// all_symbols(); symbols that the spec does not have follow.
void count_unsupported_call(std::size_t index) noexcept;
/// Returns the number of counted calls of one symbol.
unsigned long unsupported_calls(std::size_t index) noexcept;
/// Resets all counts to zero.
void reset_unsupported_calls() noexcept;

/// Returns the status of the exception that is being handled. A Valid check throws a status, and a container of more elements
/// than memory can hold std::length_error.
template <class Status>
Status status_of_exception(Status no_memory, Status operating_system, Status unknown) noexcept {
    try {
        throw;
    } catch (const Status& status) {
        return status;
    } catch (const std::bad_alloc&) {
        return no_memory;
    } catch (const std::length_error&) {
        return no_memory;
    } catch (const std::system_error&) {
        return operating_system;
    } catch (...) {
        return unknown;
    }
}

}  // namespace CUBIND_NAMESPACE::sim
