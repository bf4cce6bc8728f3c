// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "machine/machine.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <simulation/functions.hpp>
#include <stdexcept>
#include <utility>

#include "graph/capture/capture.hpp"
#include "machine/symbols.hpp"
#include "machine/visible_devices.hpp"
#include "platform/fork_hook.hpp"
#include "ptx/fidelity/instruction_counts.hpp"
#include "shared/threads.hpp"
#include "support/calls.hpp"
#include "support/driver_log.hpp"
#include "support/numbers.hpp"

namespace CUBIND_NAMESPACE::sim {

namespace {

// Never destroyed at exit, because other threads may still call the driver then.
constinit std::atomic<Machine*> current_machine{nullptr};

// Whether a child that fork() creates now can use the machine, unless threads are in calls. As with a GPU, it cannot use a driver
// that its parent has initialized. If the options allow this, the threads of the parent's work do not exist in the child, and
// both share physical memory and the files of pools. Written while fork() excludes other calls of fork().
constinit bool can_child_use_machine = true;

void check_before_fork(void*) noexcept {
    const Machine* const found = current_machine.load(std::memory_order_acquire);
    try {
        const auto is_idle = [](const auto& context) { return context->order.is_idle(); };
        const auto is_shared = [](const Pool& pool) { return pool.file != nullptr; };
        const bool is_initialized = found != nullptr && found->initialized.load(std::memory_order_acquire);
        can_child_use_machine = !is_initialized || (found->options.allows_fork && !PhysicalStore::is_in_use() &&
                                                    found->pools.find_if(is_shared) == nullptr &&
                                                    std::ranges::all_of(found->contexts.all(), is_idle));
    } catch (...) {  // no memory is left
        can_child_use_machine = false;
    }
}

void continue_in_child(void*) noexcept {
    PhysicalStore::renew();
    Machine* const found = current_machine.load(std::memory_order_acquire);
    if (found == nullptr || (can_child_use_machine && !are_other_threads_in_calls())) return;
    found->initialized.store(false, std::memory_order_release);
    found->is_unusable = true;
}

constinit cubind::detail::StaticForkHook fork_hook;

void observe_forks() {
    using cubind::detail::ForkHook;
    static const bool is_added = (fork_hook.add(cubind::detail::ForkLevel::driver, nullptr,
                                                ForkHook::Actions{.hold = check_before_fork, .in_child = continue_in_child}),
                                  true);
    static_cast<void>(is_added);
}

int release_number(const std::string& text) {
    const auto version = read_version(text);
    return version ? 1000 * version->first + 10 * version->second : 0;
}

// A mistake in a variable must neither be ignored nor end a call with an exception.
std::unique_ptr<Machine> machine_of_environment() {
    try {
        return std::make_unique<Machine>(options_from_environment());
    } catch (const std::invalid_argument& mistake) {
        return std::make_unique<Machine>(Options{.devices = 0}, mistake.what());
    }
}

}  // namespace

Machine::Machine(const Options& own_options, std::string own_problem)
    : serial(new_handle_value()),
      options(own_options),
      problem(std::move(own_problem)),
      release(release_number(own_options.release.empty() ? newest_release : own_options.release)),
      launches(own_options.max_recorded_launches) {
    std::vector<CUuuid> uuids;
    for (int index = 0; index < own_options.devices; ++index) uuids.push_back(Device::uuid_of(index));
    std::vector<int> visible(uuids.size());
    std::iota(visible.begin(), visible.end(), 0);
    if (own_options.visible_devices) {
        std::optional<std::vector<int>> selected = select_devices(*own_options.visible_devices, uuids);
        if (!selected) selection = CUDA_ERROR_INVALID_DEVICE;
        visible = selected ? std::move(*selected) : std::vector<int>();
    }
    for (int index = 0; index < own_options.devices; ++index) {
        if (std::ranges::find(visible, index) == visible.end())
            hidden_devices.push_back(std::make_unique<Device>(index, -1, own_options));
    }
    for (const int index : visible) {
        devices.push_back(std::make_unique<Device>(index, static_cast<CUdevice>(devices.size()), own_options));
        devices.back()->default_pool = add_new(pools, *devices.back(), true);
        devices.back()->current_pool = devices.back()->default_pool;
        devices.back()->graph_pool = std::make_shared<Pool>(nullptr, *devices.back(), true);
        constexpr cuuint64_t all = ~cuuint64_t{0};
        devices.back()->graph_pool->set(CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &all);
    }
    observe_forks();
    hide_symbols_after(release);
    reset_unsupported_calls();
    ptx::InstructionCounts::of_process().begin(own_options.counts_instructions, own_options.required_fidelity);
}

const Device* Machine::find_installed(int index) const noexcept {
    for (const Devices* each : {&devices, &hidden_devices}) {
        const auto found = std::ranges::find(*each, index, &Device::index);
        if (found != each->end()) return found->get();
    }
    return nullptr;
}

void Machine::shut_down(Context& context) {
    context.deactivate(time_of_kernels());
    context.order.finish();
    end_captures(graph_store, context);
    const auto is_mine = [&](const auto& object) { return object.context.get() == &context; };
    for (const auto& green : green_contexts.remove_if(is_mine)) {
        contexts.remove(green->view);
        green->end();
    }
    streams.remove_if(is_mine);
    events.remove_if(is_mine);
    textures.remove_if(is_mine);
    surfaces.remove_if(is_mine);
    mipmapped_arrays.remove_if(is_mine);
    arrays.remove_if(is_mine);
    code.functions.remove_if(is_mine);
    code.modules.remove_if(is_mine);
    heaps.remove(context);
    memory.remove_all_of(context.handle);
    context.order.close();
}

Machine& machine() {
    Machine* found = current_machine.load(std::memory_order_acquire);
    if (found != nullptr) [[likely]]
        return *found;
    auto result = machine_of_environment();
    if (current_machine.compare_exchange_strong(found, result.get(), std::memory_order_acq_rel)) return *result.release();
    return *found;
}

void replace_machine(std::unique_ptr<Machine> next) {
    std::unique_ptr<Machine> previous(current_machine.load(std::memory_order_acquire));
    if (previous != nullptr && previous->is_unusable) {
        static_cast<void>(previous.release());
    } else if (previous != nullptr) {
        // All contexts stop waiting before any is shut down: work of one context may wait for a value that only the
        // work of another writes.
        for (const auto& context : previous->contexts.all()) context->deactivate(previous->time_of_kernels());
        for (const auto& context : previous->contexts.all()) previous->shut_down(*context);
        previous->graph_store.clear();
        Threads::instance().stop();
    }
    DriverLog::of_process().clear();
    current_machine.store(next.release(), std::memory_order_release);
}

Device* find_device(CUdevice ordinal) noexcept {
    return find_device(machine().devices, ordinal);
}

}  // namespace CUBIND_NAMESPACE::sim
