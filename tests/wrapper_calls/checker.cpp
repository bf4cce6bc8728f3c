// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "checker.hpp"

#include <cubind/failure.hpp>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <random>
#include <sstream>
#include <string_view>

#include "recorded_call.hpp"
#include "row.hpp"

namespace cubind::testing {
namespace {

/// Generates byte patterns that start with different bytes within one call. The first bytes depend on the seed.
class Patterns {
public:
    Patterns(const char* name, unsigned int seed) : first_(static_cast<unsigned char>(1 + seed * 17)) {
        for (const char each : std::string_view(name)) seed = seed * 31 + static_cast<unsigned char>(each);
        random_.seed(seed);
    }

    Bytes next(const Type& type) {
        Bytes bytes(type.size);
        for (unsigned char& each : bytes) each = static_cast<unsigned char>(random_());
        if (!bytes.empty()) bytes.front() = first_++;
        if (type.is_bool) bytes.front() &= 1;                  // a bool has no other values
        if (type.size == sizeof(void*)) bytes.back() |= 0x40;  // not a valid address
        return bytes;
    }

private:
    std::mt19937 random_;
    unsigned char first_;
};

std::string hex(const Bytes& bytes) {
    constexpr std::size_t max_bytes = 32;
    std::string text;
    for (std::size_t index = 0; index < bytes.size() && index < max_bytes; ++index) {
        char digits[4];
        std::snprintf(digits, sizeof digits, "%02x ", bytes[index]);
        text += digits;
    }
    return text.empty() ? "nothing" : bytes.size() > max_bytes ? text + "..." : text.substr(0, text.size() - 1);
}

/// Returns the initial bytes of an object of that type.
Bytes initial_bytes(const Type& type) {
    Bytes bytes(type.size);
    for (const Layout::Start& start : type.layout->starts) {
        if (start.value != 0) std::memcpy(bytes.data() + start.offset, &start.value, start.size);
    }
    return bytes;
}

/// Returns whether two objects are equal except for padding.
bool equal(Bytes left, Bytes right, const Type& type) {
    if (left.size() != type.size || right.size() != type.size) return false;
    for (const Layout::Padding& padding : type.layout->padding) {
        for (Bytes* const bytes : {&left, &right}) {
            for (std::size_t index = 0; index < padding.size; ++index) (*bytes)[padding.offset + index] = 0;
        }
    }
    return left == right;
}

/// The conditions of one call.
struct Trial {
    bool fails;         ///< the C function returns a status other than success
    bool passes_zeros;  ///< every argument is zero or null; otherwise all are random and different
    unsigned int seed;
};

/// One call of a wrapper whose entry point is replaced by a C function that records the call.
class Check {
public:
    Check(const Function& function, cubind::EntryPoint& entry, const Trial& trial)
        : function_(function), types_(*function.signature), entry_(entry), trial_(trial), patterns_(function.symbol, trial.seed) {
        std::istringstream names(function.parameters);
        for (std::string name; names >> name;) names_.push_back(name);
    }

    std::vector<std::string> run() {
        prepare();
        const cubind::Failure before = cubind::last_failure();
        void* const address = exchange_address(entry_, function_.callee);
        RecordedCall::current = &call_;
        types_.call(function_.wrapper, call_);
        RecordedCall::current = nullptr;
        exchange_address(entry_, address);
        if (call_.calls == 1) {
            compare_parameters();
            compare_returned();
            compare_failure(before);
        } else {
            const cubind::Failure& failure = cubind::last_failure();
            add_error("calls the C function " + std::to_string(call_.calls) + " times" +
                      (call_.calls == 0 ? std::string("; last_failure() names ") + failure.function : ""));
        }
        return errors_;
    }

private:
    void add_error(const std::string& error) { errors_.push_back(error); }

    void add_parameter_error(std::size_t index, const std::string& error) {
        add_error("C parameter " + std::to_string(index + 1) + ", " + names_.at(index) + ", " + error);
    }

    /// Chooses the arguments, the outputs and the result of the call, and determines the expected C arguments.
    void prepare() {
        call_.roles = function_.roles;
        std::size_t argument = 0;
        std::size_t value = 0;
        for (std::size_t index = 0; index < types_.parameters.count; ++index) {
            const char role = function_.roles[index];
            Bytes expected = role == 'o' ? initial_bytes(types_.values[value]) : Bytes();
            if (role != 'o' && argument < types_.arguments.count) {
                expected = pattern(types_.arguments[argument++]);
                call_.passed.push_back(expected);
            }
            if (role != 'p') {
                call_.alignments.push_back(types_.values[value].alignment);
                call_.written.push_back(patterns_.next(types_.values[value++]));
            }
            expected_.push_back(expected);
        }
        apply_omitted_arguments();
        apply_adapter();
        call_.result = patterns_.next(types_.returned);
        if (types_.returns_status && !trial_.fails) call_.result.assign(call_.result.size(), 0);
    }

    Bytes pattern(const Type& type) { return trial_.passes_zeros ? Bytes(type.size) : patterns_.next(type); }

    void apply_omitted_arguments() {
        if (function_.special.omitted_arguments == nullptr) return;
        std::vector<Bytes> values;
        OmittedArguments omitted_arguments(values);
        function_.special.omitted_arguments(omitted_arguments);
        // The omitted arguments are the last ones of the wrapper.
        for (std::size_t index = expected_.size(); index-- > 0 && !values.empty();) {
            if (function_.roles[index] == 'o') continue;
            expected_[index] = values.back();
            values.pop_back();
        }
    }

    void apply_adapter() {
        if (function_.special.set == 0) return;
        unsigned long long bits = 0;
        Bytes& expected = expected_.at(function_.special.adapted);
        std::memcpy(&bits, expected.data(), expected.size());
        if ((bits & function_.special.unless) == 0) bits |= function_.special.set;
        std::memcpy(expected.data(), &bits, expected.size());
    }

    void compare_parameters() {
        std::size_t value = 0;
        for (std::size_t index = 0; index < expected_.size(); ++index) {
            if (function_.roles[index] == 'p') {
                if (!equal(call_.arrived[index], expected_[index], types_.parameters[index])) {
                    add_parameter_error(index,
                                        "arrives as " + hex(call_.arrived[index]) + " instead of " + hex(expected_[index]));
                }
                continue;
            }
            const Type& type = types_.values[value];
            if (call_.unwritable[value] != nullptr) {
                add_parameter_error(index, std::string(call_.unwritable[value]) + " instead of the address of a value");
            } else if (!equal(call_.starts[value], expected_[index], type)) {
                add_parameter_error(index, "points to " + hex(call_.starts[value]) + " instead of " + hex(expected_[index]));
            }
            ++value;
        }
    }

    void compare_returned() {
        if (!types_.returns_status) {
            if (types_.returned.size != 0 && !equal(call_.returned.at(0), call_.result, types_.returned)) {
                add_error("returns " + hex(call_.returned[0]) + " instead of " + hex(call_.result));
            }
            return;
        }
        if (call_.returned.at(0) != call_.result) {
            add_error("returns the status " + hex(call_.returned[0]) + " instead of " + hex(call_.result));
        }
        for (std::size_t value = 0; value < call_.written.size(); ++value) {
            if (!equal(call_.returned.at(value + 1), call_.written[value], types_.values[value])) {
                add_error("returns value " + std::to_string(value + 1) + " as " + hex(call_.returned[value + 1]) +
                          " instead of " + hex(call_.written[value]));
            }
        }
    }

    void compare_failure(const cubind::Failure& before) {
        const cubind::Failure& after = cubind::last_failure();
        if (!trial_.fails || !types_.returns_status) {
            const bool is_changed = before.library != after.library || before.function != after.function ||
                                    before.status != after.status || before.reason != after.reason ||
                                    before.detail != after.detail;
            if (is_changed) add_error("changes last_failure() without a failure");
            return;
        }
        int status = 0;
        std::memcpy(&status, call_.result.data(), sizeof status);
        if (after.status != status) add_error("sets the status of last_failure() to " + std::to_string(after.status));
        if (after.reason != cubind::FailureReason::status) add_error("sets a reason of last_failure() other than `status`");
        if (std::string_view(after.function) != function_.symbol) {
            add_error(std::string("sets the function of last_failure() to ") + after.function);
        }
        if (std::string_view(after.library) != entry_.library->name) {
            add_error(std::string("sets the library of last_failure() to ") + after.library);
        }
    }

    const Function& function_;
    const Signature& types_;
    cubind::EntryPoint& entry_;
    const Trial trial_;
    Patterns patterns_;
    std::vector<std::string> names_;
    RecordedCall call_;
    std::vector<Bytes> expected_;  ///< the C arguments, or the initial values that they point to
    std::vector<std::string> errors_;
};

std::string name_of(const Function& function, const FunctionList& list) {
    return std::string(list.library) + "::" + function.name + " (" + list.mode + ") ";
}

}  // namespace

std::vector<std::string> check(const Function& function, const FunctionList& list) {
    const std::string prefix = name_of(function, list);
    cubind::EntryPoint* entry = nullptr;
    for (cubind::EntryPoint* const each : list.entries) {
        if (std::string_view(each->symbol) == function.symbol) entry = each;
    }
    if (entry == nullptr) return {prefix + "has no entry point for the symbol " + function.symbol};
    if (function.wrapper == nullptr) {
        return {prefix +
                "has a type that differs from the one derived from the C signature and the annotations: " + function.actual_type};
    }
    std::vector<std::string> errors;
    if (std::string_view(entry->library->name) != list.library) {
        errors.push_back(prefix + "belongs to the library " + entry->library->name);
    }
    if (function.special.omitted_arguments == nullptr && list.entry_point_of(function.wrapper) != entry) {
        errors.push_back(prefix + "is not registered as a wrapper of the symbol " + function.symbol);
    }
    constexpr unsigned int seeds = 8;
    bool is_correct = true;
    for (unsigned int seed = 0; seed < seeds && is_correct; ++seed) {
        for (const bool fails : {false, true}) {
            const bool passes_zeros = seed == seeds - 1;
            for (const std::string& each : Check(function, *entry, {fails, passes_zeros, seed}).run()) {
                is_correct = false;
                errors.push_back(prefix + each + (fails ? " (the call fails)" : " (the call succeeds)") +
                                 (passes_zeros ? " (all arguments are zero)" : ""));
            }
        }
    }
    return errors;
}

std::vector<std::string> check_same(const Function& function, const FunctionList& list, const FunctionList& other) {
    for (const Function& each : other.functions) {
        if (std::string_view(each.name) == function.name && each.wrapper == function.wrapper) return {};
    }
    return {name_of(function, list) + "differs from the function of the mode " + other.mode};
}

}  // namespace cubind::testing
