// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "checker.hpp"

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <random>
#include <sstream>
#include <string_view>

#include <cubind/failure.hpp>

#include "recorded_call.hpp"
#include "row.hpp"

namespace cubind::testing {
namespace {

/// Bytes that nothing else of the same call begins with; each begins with other low bits for another seed.
class Patterns {
public:
    Patterns(const char* name, unsigned int seed) : first_(static_cast<unsigned char>(1 + seed * 17)) {
        for (const char each : std::string_view(name)) seed = seed * 31 + static_cast<unsigned char>(each);
        random_.seed(seed);
    }

    Bytes next(std::size_t size) {
        Bytes bytes(size);
        for (unsigned char& each : bytes) each = static_cast<unsigned char>(random_());
        if (size != 0) bytes.front() = first_++;
        if (size == sizeof(void*)) bytes.back() |= 0x40;  // No address of a program.
        return bytes;
    }

private:
    std::mt19937 random_;
    unsigned char first_;
};

std::string hex(const Bytes& bytes) {
    constexpr std::size_t most = 32;
    std::string text;
    for (std::size_t index = 0; index < bytes.size() && index < most; ++index) {
        char digits[4];
        std::snprintf(digits, sizeof digits, "%02x ", bytes[index]);
        text += digits;
    }
    return text.empty() ? "nothing" : bytes.size() > most ? text + "..." : text.substr(0, text.size() - 1);
}

/// What an object of that type starts from.
Bytes start_of(const Type& type) {
    Bytes bytes(type.size);
    for (const Layout::Start& start : type.layout->starts) {
        if (start.value != 0) std::memcpy(bytes.data() + start.offset, &start.value, sizeof start.value);
    }
    return bytes;
}

/// Equal, but for bytes that hold no field.
bool equal(Bytes left, Bytes right, const Type& type) {
    if (left.size() != type.size || right.size() != type.size) return false;
    for (const Layout::Padding& padding : type.layout->padding) {
        for (Bytes* const bytes : {&left, &right}) {
            for (std::size_t index = 0; index < padding.size; ++index) (*bytes)[padding.offset + index] = 0;
        }
    }
    return left == right;
}

/// How a function is tried.
struct Trial {
    bool fails;           ///< the C function returns a status other than success
    bool passes_nothing;  ///< every argument is zero or null; otherwise they are random and all different
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
            complain("calls it " + std::to_string(call_.calls) + " times" +
                     (call_.calls == 0 ? std::string("; last_failure() names ") + failure.function : ""));
        }
        return complaints_;
    }

private:
    void complain(const std::string& complaint) { complaints_.push_back(complaint); }

    void complain_of_parameter(std::size_t index, const std::string& complaint) {
        complain("C parameter " + std::to_string(index + 1) + ", " + names_.at(index) + ", " + complaint);
    }

    /// Decides what is passed, written and answered, and what should arrive.
    void prepare() {
        call_.roles = function_.roles;
        std::size_t argument = 0;
        std::size_t value = 0;
        for (std::size_t index = 0; index < types_.parameters.count; ++index) {
            const char role = function_.roles[index];
            Bytes expected = role == 'o' ? start_of(types_.values[value]) : Bytes();
            if (role != 'o' && argument < types_.arguments.count) {
                expected = pattern(types_.arguments[argument++].size);
                call_.passed.push_back(expected);
            }
            if (role != 'p') {
                call_.alignments.push_back(types_.values[value].alignment);
                call_.written.push_back(patterns_.next(types_.values[value++].size));
            }
            expected_.push_back(expected);
        }
        leave_out();
        adapt();
        call_.answer = patterns_.next(types_.returned.size);
        if (types_.returns_status && !trial_.fails) call_.answer.assign(call_.answer.size(), 0);
    }

    Bytes pattern(std::size_t size) { return trial_.passes_nothing ? Bytes(size) : patterns_.next(size); }

    void leave_out() {
        if (function_.special.left_out == nullptr) return;
        std::vector<Bytes> values;
        LeftOut left_out(values);
        function_.special.left_out(left_out);
        // The last of those that the wrapper would take.
        for (std::size_t index = expected_.size(); index-- > 0 && !values.empty();) {
            if (function_.roles[index] == 'o') continue;
            expected_[index] = values.back();
            values.pop_back();
        }
    }

    void adapt() {
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
                    complain_of_parameter(index, "arrives as " + hex(call_.arrived[index]) + ", not " + hex(expected_[index]));
                }
                continue;
            }
            const Type& type = types_.values[value];
            if (call_.unwritable[value] != nullptr) {
                complain_of_parameter(index, std::string(call_.unwritable[value]) + ", not the address of a value");
            } else if (!equal(call_.starts[value], expected_[index], type)) {
                complain_of_parameter(index, "points to " + hex(call_.starts[value]) + ", not " + hex(expected_[index]));
            }
            ++value;
        }
    }

    void compare_returned() {
        if (!types_.returns_status) {
            if (types_.returned.size != 0 && !equal(call_.returned.at(0), call_.answer, types_.returned)) {
                complain("returns " + hex(call_.returned[0]) + ", not " + hex(call_.answer));
            }
            return;
        }
        if (call_.returned.at(0) != call_.answer) {
            complain("gives the status " + hex(call_.returned[0]) + ", not " + hex(call_.answer));
        }
        for (std::size_t value = 0; value < call_.written.size(); ++value) {
            if (!equal(call_.returned.at(value + 1), call_.written[value], types_.values[value])) {
                complain("gives value " + std::to_string(value + 1) + " as " + hex(call_.returned[value + 1]) + ", not " +
                         hex(call_.written[value]));
            }
        }
    }

    void compare_failure(const cubind::Failure& before) {
        const cubind::Failure& after = cubind::last_failure();
        if (!trial_.fails || !types_.returns_status) {
            const bool is_changed = before.library != after.library || before.function != after.function ||
                                    before.status != after.status || before.reason != after.reason ||
                                    before.detail != after.detail;
            if (is_changed) complain("changes last_failure() without a failure");
            return;
        }
        int status = 0;
        std::memcpy(&status, call_.answer.data(), sizeof status);
        if (after.status != status) complain("makes last_failure() tell the status " + std::to_string(after.status));
        if (after.reason != cubind::FailureReason::status) complain("makes last_failure() tell another reason than the status");
        if (std::string_view(after.function) != function_.symbol) {
            complain(std::string("makes last_failure() name the function ") + after.function);
        }
        if (std::string_view(after.library) != entry_.library->name) {
            complain(std::string("makes last_failure() name the library ") + after.library);
        }
    }

    const Function& function_;
    const Signature& types_;
    cubind::EntryPoint& entry_;
    const Trial trial_;
    Patterns patterns_;
    std::vector<std::string> names_;
    RecordedCall call_;
    std::vector<Bytes> expected_;  ///< what arrives, or what the pointer that arrives points to
    std::vector<std::string> complaints_;
};

std::string name_of(const Function& function, const FunctionList& list) {
    return std::string(list.library) + "::" + function.name + " (" + list.mode + ") ";
}

}  // namespace

std::vector<std::string> check(const Function& function, const FunctionList& list) {
    const std::string named = name_of(function, list);
    cubind::EntryPoint* entry = nullptr;
    for (cubind::EntryPoint* const each : list.entries) {
        if (std::string_view(each->symbol) == function.symbol) entry = each;
    }
    if (entry == nullptr) return {named + "has no entry point of the symbol " + function.symbol};
    if (function.wrapper == nullptr) {
        return {named + "has another type than the C signature and the judgements make: " + function.actual_type};
    }
    std::vector<std::string> complaints;
    if (std::string_view(entry->library->name) != list.library) {
        complaints.push_back(named + "is of the library " + entry->library->name);
    }
    if (function.special.left_out == nullptr && list.entry_point_of(function.wrapper) != entry) {
        complaints.push_back(named + "is not known as a wrapper of the symbol " + function.symbol);
    }
    constexpr unsigned int seeds = 8;
    bool is_right = true;
    for (unsigned int seed = 0; seed < seeds && is_right; ++seed) {
        for (const bool fails : {false, true}) {
            const bool passes_nothing = seed == seeds - 1;
            for (const std::string& each : Check(function, *entry, {fails, passes_nothing, seed}).run()) {
                is_right = false;
                complaints.push_back(named + each + (fails ? " (the call fails)" : " (the call succeeds)") +
                                     (passes_nothing ? " (nothing is passed)" : ""));
            }
        }
    }
    return complaints;
}

std::vector<std::string> check_same(const Function& function, const FunctionList& list, const FunctionList& other) {
    for (const Function& each : other.functions) {
        if (std::string_view(each.name) == function.name && each.wrapper == function.wrapper) return {};
    }
    return {name_of(function, list) + "is another function than with the " + other.mode};
}

}  // namespace cubind::testing
