// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "stand_in_state.hpp"

#include <cstdlib>
#include <string_view>

#include "unlimited_memory.hpp"

namespace cubind::testing::cupti_stand_in {

using namespace cupti;

namespace {

void set(Options& options, std::string_view name, unsigned value) {
    if (name == "fail") options.fail = value;
    if (name == "fail_from") options.fail_from = value;
    if (name == "status") options.status = static_cast<int>(value);
    if (name == "drop") options.drop = value;
    if (name == "thread") options.delivers_on_thread = value != 0;
    if (name == "privileges") options.lacks_privileges = value == 0;
    if (name == "records") options.max_records = value;
    if (name == "version") options.version = value;
}

Options options_of_environment() {
    Options options;
    const char* const text = std::getenv("CUBIND_STAND_IN_CUPTI");
    std::string_view rest = text != nullptr ? text : "";
    while (!rest.empty()) {
        const std::string_view word = rest.substr(0, rest.find(','));
        const std::size_t sign = word.find('=');
        if (sign != std::string_view::npos) {
            set(options, word.substr(0, sign), static_cast<unsigned>(std::atoi(std::string(word.substr(sign + 1)).c_str())));
        }
        rest.remove_prefix(word.size() < rest.size() ? word.size() + 1 : word.size());
    }
    return options;
}

}  // namespace

State& state() {
    static State& all = *[] {
        auto* const created = new State;
        created->options = options_of_environment();
        return created;
    }();
    return all;
}

CUptiResult begin_call(const char* function) {
    const UnlimitedMemory memory;
    State& all = state();
    const std::lock_guard lock(all.mutex);
    ++all.calls[function];
    const unsigned number = ++all.call_count;
    const bool fails = number == all.options.fail || (all.options.fail_from != 0 && number >= all.options.fail_from);
    return fails ? static_cast<CUptiResult>(all.options.status) : CUPTI_SUCCESS;
}

void reset() {
    forget_records();
    State& all = state();
    const std::lock_guard lock(all.mutex);
    all.options = options_of_environment();
    all.calls.clear();
    all.call_count = 0;
    all.kinds.clear();
    delete std::exchange(all.subscriber, nullptr);
}

Options& options() {
    return state().options;
}

const char* keep(const char* text) {
    State& all = state();
    const std::lock_guard lock(all.mutex);
    return all.texts.insert(text).first->c_str();
}

unsigned calls(const char* function) {
    State& all = state();
    const std::lock_guard lock(all.mutex);
    if (function == nullptr) return all.call_count;
    const auto found = all.calls.find(function);
    return found != all.calls.end() ? found->second : 0;
}

bool is_enabled(CUpti_ActivityKind kind) {
    State& all = state();
    const std::lock_guard lock(all.mutex);
    return all.kinds.contains(kind);
}

unsigned subscribers() {
    State& all = state();
    const std::lock_guard lock(all.mutex);
    return all.subscriber != nullptr ? 1 : 0;
}

}  // namespace cubind::testing::cupti_stand_in
