// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "faults/sweep.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <utility>

#include <cubind/layers/faults.hpp>

#include "support/function_names.hpp"

namespace cubind::layers::faults {

namespace {

/// One run of an operation in which a call of the running thread fails.
struct Run {
    const EachCall& options;
    const std::vector<const reflection::Function*>& spared;
    const unsigned long call;
    unsigned long seen = 0;
    std::optional<Fault> fault = {};
};

constinit thread_local Run* this_run = nullptr;

class Sweep final : public Layer {
public:
    void handle(const Call& call, const Next& next) noexcept override {
        Run* const run = this_run;
        if (run == nullptr || !can_fail(*run, call) || ++run->seen != run->call) return next(call);
        const int status = run->options.status.value_or(static_cast<int>(call.library.invalid_argument));
        make_fail(call, next, status);
        run->fault = {call.function.symbol, run->call, status};
    }

    void begin() {
        const std::lock_guard lock(mutex_);
        if (sweeping_++ == 0) push(*this);
    }
    void end() {
        const std::lock_guard lock(mutex_);
        if (--sweeping_ == 0) remove(*this);
    }

private:
    static bool can_fail(const Run& run, const Call& call) {
        return call.returns_status() && std::find(run.spared.begin(), run.spared.end(), &call.function) == run.spared.end();
    }

    std::mutex mutex_;
    int sweeping_ = 0;  ///< sweeps under way
};

// Never destroyed: calls may come until the end of the process.
Sweep& the_sweep() {
    static Sweep& forever = *new Sweep;
    return forever;
}

struct Sweeping {
    Sweeping() { the_sweep().begin(); }
    ~Sweeping() { the_sweep().end(); }
};

std::optional<Fault> fault_in(const std::function<void()>& operation, Run run) {
    Run* const outer = std::exchange(this_run, &run);  // of a sweep that the operation is part of
    try {
        operation();
    } catch (...) {
        this_run = outer;
        if (!run.fault) throw;
    }
    this_run = outer;
    return run.fault;
}

// Names what was made to fail, for whoever wants to see what their sweeps cover.
void log(const Fault& fault) {
    const char* const path = std::getenv("CUBIND_FAULTS_LOG");
    if (path == nullptr) return;
    if (std::FILE* const file = std::fopen(path, "a")) {
        std::fprintf(file, "%s\n", fault.function.c_str());
        std::fclose(file);
    }
}

}  // namespace

std::size_t fail_each_call(const std::function<void()>& operation, const EachCall& options) {
    std::vector<const reflection::Function*> spared;
    for (const std::string& name : options.except) {
        for (const NamedFunction& each : known_functions(name)) spared.push_back(each.function);
    }
    const Sweeping sweeping;
    unsigned long call = 1;
    while (const std::optional<Fault> fault = fault_in(operation, {.options = options, .spared = spared, .call = call})) {
        log(*fault);
        if (options.after) options.after(*fault);
        ++call;
    }
    return call - 1;
}

}  // namespace cubind::layers::faults
