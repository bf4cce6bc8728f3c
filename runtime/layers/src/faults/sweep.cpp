// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/layers/faults.hpp>

#include <algorithm>
#include <cerrno>
#include <mutex>
#include <utility>

#include "faults/fail_call.hpp"
#include "platform/environment.hpp"
#include "support/fork.hpp"
#include "support/function_names.hpp"
#include "support/write.hpp"

namespace CUBIND_NAMESPACE::layers::faults {

namespace {

// One run of an operation in which a call of the current thread fails.
struct Run {
    const FailEachCallOptions& options;
    const std::vector<const reflection::Function*>& exempt;
    const unsigned long call;                      ///< position of the call that fails
    unsigned long seen = 0;                        ///< number of calls that can fail so far
    const reflection::Function* failed = nullptr;  ///< function of the call, once it has failed
    int status = 0;                                ///< status that the call returned
};

constinit thread_local Run* this_run = nullptr;

class Sweep final : public Layer {
public:
    Sweep() { hold_during_fork(ForkLevel::layer, mutex_); }

    void handle(const Call& call, const Next& next) noexcept override {
        Run* const run = this_run;
        if (run == nullptr || !can_fail(*run, call) || ++run->seen != run->call) return next(call);
        run->status = run->options.status.value_or(static_cast<int>(call.library.invalid_argument));
        fail_call(call, next, run->status);
        run->failed = &call.function;
    }

    void begin() {
        const std::lock_guard lock(mutex_);
        if (active_++ == 0) push(*this);
    }
    void end() {
        const std::lock_guard lock(mutex_);
        if (--active_ == 0) remove(*this);
    }

private:
    static bool can_fail(const Run& run, const Call& call) {
        return call.returns_status() && std::find(run.exempt.begin(), run.exempt.end(), &call.function) == run.exempt.end();
    }

    std::mutex mutex_;
    int active_ = 0;  ///< number of running sweeps
};

// Never destroyed: calls may be made until the process ends.
Sweep& sweep_layer() {
    static Sweep& layer = *new Sweep;
    return layer;
}

// Adds the layer for its lifetime.
struct ActiveSweep {
    ActiveSweep() { sweep_layer().begin(); }
    ~ActiveSweep() { sweep_layer().end(); }
};

std::optional<Fault> fault_in(const std::function<void()>& operation, Run run) {
    Run* const outer = std::exchange(this_run, &run);  // set if the operation is part of another sweep
    try {
        operation();
    } catch (...) {
        this_run = outer;
        if (run.failed == nullptr) throw;
    }
    this_run = outer;
    if (run.failed == nullptr) return std::nullopt;
    return Fault{run.failed->symbol, run.call, run.status};
}

// Appends the name of the failed function to the log file, which shows what sweeps cover.
void log(const Fault& fault) {
    const char* const path = detail::environment_variable("CUBIND_FAULTS_LOG");
    if (path == nullptr) return;
    const detail::Descriptor file = open_to_append(path);
    if (!file) {
        print_error(std::string("cubind: CUBIND_FAULTS_LOG: cannot open ") + path + ": " + open_problem(errno) + "\n");
        return;
    }
    write_text(file.number(), fault.function + "\n");
}

}  // namespace

std::size_t fail_each_call(const std::function<void()>& operation, const FailEachCallOptions& options) {
    if (options.status) check_status(*options.status);
    std::vector<const reflection::Function*> exempt;
    for (const std::string& name : options.except) {
        for (const NamedFunction& each : known_functions(name)) exempt.push_back(each.function);
    }
    const ActiveSweep active;
    unsigned long call = 1;
    while (const std::optional<Fault> fault = fault_in(operation, {.options = options, .exempt = exempt, .call = call})) {
        log(*fault);
        if (options.after) options.after(*fault);
        ++call;
    }
    return call - 1;
}

}  // namespace CUBIND_NAMESPACE::layers::faults
