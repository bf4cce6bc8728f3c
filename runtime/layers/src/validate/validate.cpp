// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/detail/validator.hpp>
#include <cubind/layers/layer.hpp>
#include <cubind/layers/validate.hpp>

#include <atomic>
#include <memory>
#include <mutex>

#include "objects/tracker.hpp"
#include "support/fork.hpp"
#include "support/libraries.hpp"
#include "support/omissions.hpp"
#include "support/write.hpp"
#include "validate/handle_checks.hpp"
#include "values/capture.hpp"
#include "values/print.hpp"

namespace CUBIND_NAMESPACE::layers::validate {

namespace {

void print_line(const Finding& finding) {
    print_error("cubind: validate: " + finding.library + ": " + finding.message + "\n");
}

class Validate final : public Layer {
public:
    Validate() {
        for (auto library = libraries(); *library != nullptr; ++library) checks_.emplace_back(**library);
        hold_during_fork(ForkLevel::layer, mutex_);
    }

    void start(const Options& options) {
        const std::lock_guard lock(mutex_);
        report_ = std::make_shared<const Report>(options.report ? options.report : print_line);
        fails_.store(options.action == Action::fail, std::memory_order_relaxed);
        unknown_handles_.store(options.unknown_handles, std::memory_order_relaxed);
        findings_.store(0, std::memory_order_relaxed);
        omissions_.end();
        if (is_on(*this)) return;
        objects::push_with_tracking(*this, objects::Interest::handles);
        detail::set_validator(report_from_caller);
    }

    void stop() {
        const std::lock_guard lock(mutex_);
        if (!is_on(*this)) return;
        detail::set_validator(nullptr);
        remove(*this);
        objects::stop_tracking(objects::Interest::handles);
        omissions_.end();
    }

    unsigned long findings() const { return findings_.load(std::memory_order_relaxed); }

    void handle(const Call& call, const Next& next) noexcept override {
        bool is_valid = true;
        omissions_.attempt([&] { check_call(call, is_valid); });
        if (!is_valid && fails_.load(std::memory_order_relaxed) && call.returns_status()) {
            call.status() = static_cast<int>(call.library.invalid_argument);
            return;
        }
        next(call);
    }

private:
    // Reports all mistakes. Sets `is_valid` to false if there are any.
    void check_call(const Call& call, bool& is_valid) {
        int rejected = -1;  // parameter with a mistake; further checks of it would read an invalid pointer
        for (const Check& check : checks_[number_of(call.library)].of(number_of(call.library, call.function))) {
            if (passes_fast_check(call, check) || check.parameter == rejected) continue;
            const Complaint complaint = complaint_of(call, check);
            if (!complaint) continue;
            rejected = check.parameter;
            is_valid = false;
            report(call, check.parameter, *complaint);
        }
        if (is_valid && !call.function.same_context.empty() && !are_of_one_context(call)) {
            unsigned char parameter = 0;
            if (const Complaint complaint = check_contexts(call, parameter)) {
                is_valid = false;
                report(call, parameter, *complaint);
            }
        }
    }

    // Accepts most valid arguments without creating a message.
    static bool passes_fast_check(const Call& call, const Check& check) noexcept {
        if (check.what == Check::What::handle) return is_live_handle(call, check.parameter);
        if (check.what != Check::What::pointer || call.function.parameters[check.parameter].length.number > 0) return false;
        return pointer_argument(call, check.parameter) != nullptr;
    }

    Complaint complaint_of(const Call& call, const Check& check) const {
        const unsigned char position = check.parameter;
        switch (check.what) {
            case Check::What::pointer:
                return check_pointer(call, position);
            case Check::What::count:
                return check_count(call, position);
            case Check::What::enumerator:
                return check_enumerator(*call.function.parameters[position].type, call.arguments[position]);
            case Check::What::enumerators:
                return check_enumerators(call, position);
            case Check::What::record:
                return check_record(call, position);
            case Check::What::handle:
                return check_handle(call, position, unknown_handles_.load(std::memory_order_relaxed));
            case Check::What::handles:
                break;
        }
        return check_handles(call, position, unknown_handles_.load(std::memory_order_relaxed));
    }

    void report(const Call& call, unsigned char position, const std::string& complaint) {
        const Parameter& parameter = call.function.parameters[position];
        report({call.library.name, call.function.symbol, parameter.name,
                std::string(call.function.symbol) + ": " + parameter.name + " is " + complaint});
    }

    void report(const Finding& finding) {
        findings_.fetch_add(1, std::memory_order_relaxed);
        std::shared_ptr<const Report> report;
        {
            const std::lock_guard lock(mutex_);
            report = report_;
        }
        const Unobserved unobserved;
        (*report)(finding);
    }

    // Receives mistakes that code above the wrappers found in a call that it is about to make.
    static bool report_from_caller(const char* library, const char* function, const char* parameter,
                                   const char* message) noexcept;

    std::vector<LibraryChecks> checks_;  // by number_of()
    std::atomic<bool> fails_{false};
    std::atomic<bool> unknown_handles_{true};
    std::atomic<unsigned long> findings_{0};
    Omissions omissions_{"validate", "not checked or without a report"};
    std::mutex mutex_;
    std::shared_ptr<const Report> report_;
};

// Never destroyed: calls may be made until the process ends.
Validate& validate_layer() {
    static Validate& layer = *new Validate;
    return layer;
}

bool Validate::report_from_caller(const char* library, const char* function, const char* parameter,
                                  const char* message) noexcept {
    Validate& validation = validate_layer();
    validation.omissions_.attempt([&] {
        validation.report({library, function, parameter, std::string(function) + ": " + message});
    });
    return !validation.fails_.load(std::memory_order_relaxed);
}

}  // namespace

void start(const Options& options) {
    validate_layer().start(options);
}

void stop() {
    validate_layer().stop();
}

unsigned long findings() {
    return validate_layer().findings();
}

}  // namespace CUBIND_NAMESPACE::layers::validate
