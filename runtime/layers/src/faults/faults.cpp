// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/layers/faults.hpp>
#include <cubind/layers/layer.hpp>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <stdexcept>

#include "faults/fail_call.hpp"
#include "support/fork.hpp"
#include "support/function_names.hpp"
#include "support/libraries.hpp"

namespace CUBIND_NAMESPACE::layers::faults {

namespace {

// One call of fail().
struct Rule {
    std::vector<const reflection::Function*> functions = {};
    int status = 0;
    unsigned long call = 1;  ///< position of the call that fails, or every_call
    unsigned long seen = 0;  ///< number of calls since fail()

    bool matches(const reflection::Function& function) const {
        return std::find(functions.begin(), functions.end(), &function) != functions.end();
    }
};

class Faults final : public Layer {
public:
    Faults() {
        for (auto library = libraries(); *library != nullptr; ++library) counts_.emplace_back((*library)->functions.size());
        hold_during_fork(ForkLevel::layer_leaf, mutex_);
    }

    void handle(const Call& call, const Next& next) noexcept override {
        count(call.library, call.function).fetch_add(1, std::memory_order_relaxed);
        int status = 0;
        if (fails(call, status)) {
            fail_call(call, next, status);
        } else {
            next(call);
        }
    }

    std::atomic<unsigned long>& count(const reflection::LibraryDescription& library, const reflection::Function& function) {
        return counts_[number_of(library)][number_of(library, function)];
    }

    void add(Rule rule) {
        const std::lock_guard lock(mutex_);
        rules_.push_back(std::move(rule));
        has_rules_.store(true, std::memory_order_release);
    }

    void clear_rules() {
        const std::lock_guard lock(mutex_);
        rules_.clear();
        has_rules_.store(false, std::memory_order_release);
    }

    void clear_counts() {
        for (auto& library : counts_) {
            for (auto& each : library) each.store(0, std::memory_order_relaxed);
        }
    }

private:
    bool fails(const Call& call, int& status) {
        if (!has_rules_.load(std::memory_order_acquire)) return false;
        const std::lock_guard lock(mutex_);
        bool found = false;
        for (Rule& rule : rules_) {
            if (!rule.matches(call.function)) continue;
            ++rule.seen;
            if (found || (rule.call != every_call && rule.seen != rule.call)) continue;
            found = true;
            status = rule.status;
        }
        std::erase_if(rules_, [](const Rule& rule) { return rule.call != every_call && rule.seen >= rule.call; });
        return found;
    }

    std::vector<std::vector<std::atomic<unsigned long>>> counts_;
    std::mutex mutex_;
    std::atomic<bool> has_rules_{false};
    std::vector<Rule> rules_;
};

// Never destroyed: calls may be made until the process ends.
Faults& faults_layer() {
    static Faults& layer = *new Faults;
    return layer;
}

}  // namespace

void fail_call(const Call& call, const Next& next, int status) noexcept {
    const auto ends = [](const reflection::Effect& effect) { return effect.what != reflection::Effect::What::begins; };
    if (std::any_of(call.function.effects.begin(), call.function.effects.end(), ends)) next(call);
    call.status() = status;
}

void check_status(int status) {
    if (status == 0)
        throw std::invalid_argument("faults: the status 0 is success, so the call would not fail; give another status");
}

void start() {
    push(faults_layer());
}

void stop() {
    remove(faults_layer());
    faults_layer().clear_rules();
    faults_layer().clear_counts();
}

void fail(const std::string& function, int status, unsigned long call) {
    check_status(status);
    Rule rule{.status = status, .call = call};
    for (const NamedFunction& each : known_functions(function)) {
        if (reflection::returns_status(*each.library, *each.function)) rule.functions.push_back(each.function);
    }
    if (rule.functions.empty()) throw std::invalid_argument(function + " returns no status, so it cannot be made to fail");
    faults_layer().add(std::move(rule));
}

void clear() {
    faults_layer().clear_rules();
}

unsigned long calls(const std::string& function) {
    unsigned long sum = 0;
    for (const NamedFunction& each : known_functions(function)) sum += faults_layer().count(*each.library, *each.function);
    return sum;
}

}  // namespace CUBIND_NAMESPACE::layers::faults
