// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "log/driver_log.hpp"

#include <cubind/detail/host_function.hpp>
#include <cubind/detail/library_function.hpp>
#include <cubind/driver/loading.hpp>
#include <cubind/driver/types.hpp>

#include <memory>
#include <new>

#include "fork_state.hpp"
#include "log/log_lines.hpp"
#include "platform/environment.hpp"

namespace CUBIND_NAMESPACE::detail {

namespace {

// Position of the thread's previous read, after which its new lines are.
struct Position {
    driver::CUlogIterator next = 0;
    bool is_known = false;
};
constinit thread_local Position position;

bool is_turned_off() noexcept {
    const char* const setting = environment_variable("CUBIND_DRIVER_LOG");
    return setting != nullptr && std::string_view(setting) == "0";
}

template <class Signature>
Signature* find(const char* symbol) noexcept {
    return reinterpret_cast<Signature*>(find_library_function(driver::library(), symbol));
}

std::string read(int code, std::string_view function) {
    const auto current = find<driver::CUresult(driver::CUlogIterator*, unsigned)>("cuLogsCurrent");
    const auto dump = find<driver::CUresult(driver::CUlogIterator*, char*, std::size_t*, unsigned)>("cuLogsDumpToMemory");
    driver::CUlogIterator end = 0;
    if (current == nullptr || dump == nullptr || current(&end, 0) != driver::CUDA_SUCCESS) return {};
    // A position after the end is of a driver that was replaced. The driver would refuse it.
    const bool continues = position.is_known && position.next <= end;
    driver::CUlogIterator begin = position.next;
    constexpr std::size_t max_log = 25600;
    std::size_t size = max_log + 1;
    const std::unique_ptr<char[]> buffer(new (std::nothrow) char[size]);
    if (buffer == nullptr) return {};
    position = {.next = end, .is_known = true};
    if (dump(continues ? &begin : nullptr, buffer.get(), &size, 0) != driver::CUDA_SUCCESS || size > max_log) return {};
    return lines_of_call({buffer.get(), size}, this_thread_numbers(), code, function);
}

}  // namespace

std::string read_driver_log(int code, std::string_view function) noexcept {
    // If another thread held a lock of the driver's log during fork(), the lock remains locked in the child for ever.
    if (is_turned_off() || is_in_host_function() || has_parent_loaded_driver()) return {};
    try {
        return read(code, function);
    } catch (const std::bad_alloc&) {  // the error is thrown without the log
        return {};
    }
}

std::string read_driver_log_of_caller(int code) noexcept {
    if (is_turned_off() || is_child_of_fork()) return {};
    (void)library_path(driver::library());  // finds the driver that the runtime library has loaded
    return read_driver_log(code, "");
}

}  // namespace CUBIND_NAMESPACE::detail
