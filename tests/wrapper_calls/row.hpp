// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/result.hpp>
#include <cubind/tuple.hpp>

#include <cstring>
#include <type_traits>
#include <utility>

#include "function.hpp"
#include "recorded_call.hpp"

namespace cubind::testing {

template <class Object>
inline constexpr Layout layout{};

template <class Object>
inline constexpr Type type_of{sizeof(Object), alignof(Object), &layout<Object>, std::is_same_v<Object, bool>};
template <>
inline constexpr Type type_of<void>{0, 1, &layout<void>, false};

template <class... Objects>
struct TypeList {
    static constexpr Type types[] = {type_of<std::remove_cvref_t<Objects>>..., type_of<void>};
    static constexpr Types list = {types, sizeof...(Objects)};
};

/// Collects the values of omitted arguments, which are the default arguments of the declaration.
class OmittedArguments {
public:
    explicit OmittedArguments(std::vector<Bytes>& arguments) : arguments_(arguments) {}

    template <class Argument>
    void add(Argument value) {
        arguments_.emplace_back(sizeof value);
        std::memcpy(arguments_.back().data(), &value, sizeof value);
    }

private:
    std::vector<Bytes>& arguments_;
};

/// Replaces the C function and records its call.
template <class C>
struct Callee;

template <class Returned, class... Parameters>
struct Callee<Returned(Parameters...)> {
    using ParameterTypes = TypeList<Parameters...>;
    static constexpr Type returned = type_of<Returned>;

    static Returned function(Parameters... parameters) {
        RecordedCall& call = *RecordedCall::current;
        (call.add_arrived(&parameters, sizeof parameters), ...);
        call.write_outputs();
        if constexpr (!std::is_void_v<Returned>) {
            Returned result;
            call.take_result(&result, sizeof result);
            return result;
        }
    }
};

template <class Value>
void add_returned(RecordedCall& call, const Value& value) {
    call.add_returned(&value, sizeof value);
}

template <class Status>
void add_all_returned(RecordedCall& call, const cubind::Result<Status>& result) {
    add_returned(call, result.status);
}
template <class Status, class Value>
void add_all_returned(RecordedCall& call, const cubind::Result<Status, Value>& result) {
    add_returned(call, result.status);
    add_returned(call, result.value);
}
/// Adds the values of a long result from the seventh on.
template <class Result, std::size_t... indices>
void add_later_values(RecordedCall& call, const Result& result, std::index_sequence<indices...>) {
    (add_returned(call, cubind::get<7 + indices>(result)), ...);
}
/// Adds the status, then the values of the result from `value1` on.
template <class Status, class V1, class V2, class... Values>
void add_all_returned(RecordedCall& call, const cubind::Result<Status, V1, V2, Values...>& result) {
    add_returned(call, result.status);
    add_returned(call, result.value1);
    add_returned(call, result.value2);
    if constexpr (sizeof...(Values) >= 1) add_returned(call, result.value3);
    if constexpr (sizeof...(Values) >= 2) add_returned(call, result.value4);
    if constexpr (sizeof...(Values) >= 3) add_returned(call, result.value5);
    if constexpr (sizeof...(Values) >= 4) add_returned(call, result.value6);
    if constexpr (sizeof...(Values) > 4) add_later_values(call, result, std::make_index_sequence<sizeof...(Values) - 4>());
}

template <class Argument>
Argument take_argument(const RecordedCall& call, std::size_t index) {
    Argument argument{};
    call.take(index, &argument, sizeof argument);
    return argument;
}

/// Calls a wrapper of type `Wrapper` with the recorded bytes.
template <class Wrapper>
struct Caller;

template <class Returned, class... Arguments>
struct CallerOf {
    using ArgumentTypes = TypeList<Arguments...>;

    template <std::size_t... indices>
    static Returned call(void (*wrapper)(), const RecordedCall& call, std::index_sequence<indices...>) {
        return reinterpret_cast<Returned (*)(Arguments...) noexcept>(wrapper)(
            take_argument<std::remove_cvref_t<Arguments>>(call, indices)...);
    }
};

template <class Returned, class... Arguments>
struct Caller<Returned(Arguments...) noexcept> : CallerOf<Returned, Arguments...> {
    using ValueTypes = TypeList<>;
    static constexpr bool returns_status = false;

    static void call(void (*wrapper)(), RecordedCall& recorded) {
        if constexpr (std::is_void_v<Returned>) {
            CallerOf<Returned, Arguments...>::call(wrapper, recorded, std::index_sequence_for<Arguments...>());
        } else {
            add_returned(recorded,
                         CallerOf<Returned, Arguments...>::call(wrapper, recorded, std::index_sequence_for<Arguments...>()));
        }
    }
};

template <class Status, class... Values, class... Arguments>
struct Caller<cubind::Result<Status, Values...>(Arguments...) noexcept>
    : CallerOf<cubind::Result<Status, Values...>, Arguments...> {
    using ValueTypes = TypeList<Values...>;
    static constexpr bool returns_status = true;

    static void call(void (*wrapper)(), RecordedCall& recorded) {
        add_all_returned(recorded, CallerOf<cubind::Result<Status, Values...>, Arguments...>::call(
                                       wrapper, recorded, std::index_sequence_for<Arguments...>()));
    }
};

template <class C, class Wrapper>
inline constexpr Signature signature{
    Callee<C>::returned,
    Callee<C>::ParameterTypes::list,
    Caller<Wrapper>::ArgumentTypes::list,
    Caller<Wrapper>::ValueTypes::list,
    Caller<Wrapper>::returns_status,
    &Caller<Wrapper>::call,
};

template <class Actual>
const char* name_of_type() {
    return __PRETTY_FUNCTION__;
}

/// Creates the entry of a function with the C signature `C` and a wrapper of type `Wrapper`. Not inline, because inlining triples
/// the compile time of a list of hundreds of functions.
template <class C, class Wrapper, class Actual>
[[gnu::noinline]] Function function(const char* group, const char* name, const char* symbol, const char* roles,
                                    const char* parameters, Actual* wrapper, const Special& special = {}) {
    Function entry{group, name, symbol, roles, parameters, &signature<C, Wrapper>, nullptr, nullptr, nullptr, special};
    entry.callee = reinterpret_cast<void*>(&Callee<C>::function);
    if constexpr (std::is_same_v<Actual, Wrapper>) {
        entry.wrapper = reinterpret_cast<void (*)()>(wrapper);
    } else {
        entry.actual_type = name_of_type<Actual>();
    }
    return entry;
}

/// Creates the entry of a name that denotes the same wrapper as in the first mode. Not inline, for the same reason.
[[gnu::noinline]] inline Function same(const char* group, const char* name, const char* symbol, void (*wrapper)()) {
    return {group, name, symbol, "", "", nullptr, nullptr, wrapper, nullptr, {}};
}

}  // namespace cubind::testing
