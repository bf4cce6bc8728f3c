// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstring>
#include <type_traits>
#include <utility>

#include <cubind/result.hpp>

#include "function.hpp"
#include "recorded_call.hpp"

namespace cubind::testing {

template <class Object>
inline constexpr Layout layout{};

template <class Object>
inline constexpr Type type_of{sizeof(Object), alignof(Object), &layout<Object>};
template <>
inline constexpr Type type_of<void>{0, 1, &layout<void>};

template <class... Objects>
struct TypeList {
    static constexpr Type types[] = {type_of<std::remove_cvref_t<Objects>>..., type_of<void>};
    static constexpr Types list = {types, sizeof...(Objects)};
};

/// The values of arguments that are left out, as the declaration should have them.
class LeftOut {
public:
    explicit LeftOut(std::vector<Bytes>& arguments) : arguments_(arguments) {}

    template <class Argument>
    void add(Argument value) {
        arguments_.emplace_back(sizeof value);
        std::memcpy(arguments_.back().data(), &value, sizeof value);
    }

private:
    std::vector<Bytes>& arguments_;
};

/// What takes the place of the C function.
template <class C>
struct Callee;

template <class Returned, class... Parameters>
struct Callee<Returned(Parameters...)> {
    using ParameterTypes = TypeList<Parameters...>;
    static constexpr Type returned = type_of<Returned>;

    static Returned function(Parameters... parameters) {
        RecordedCall& call = *RecordedCall::current;
        (call.arrive(&parameters, sizeof parameters), ...);
        call.write_outputs();
        if constexpr (!std::is_void_v<Returned>) {
            Returned answer;
            call.take_answer(&answer, sizeof answer);
            return answer;
        }
    }
};

template <class Value>
void give_back(RecordedCall& call, const Value& value) {
    call.give_back(&value, sizeof value);
}

template <class Status>
void give_back_all(RecordedCall& call, const cubind::Result<Status>& result) {
    give_back(call, result.status);
}
template <class Status, class Value>
void give_back_all(RecordedCall& call, const cubind::Result<Status, Value>& result) {
    give_back(call, result.status);
    give_back(call, result.value);
}
/// The values by their numbers, as std::get would have them.
template <class Status, class V1, class V2, class... Values>
void give_back_all(RecordedCall& call, const cubind::Result<Status, V1, V2, Values...>& result) {
    give_back(call, result.status);
    give_back(call, result.value1);
    give_back(call, result.value2);
    if constexpr (sizeof...(Values) >= 1) give_back(call, result.value3);
    if constexpr (sizeof...(Values) >= 2) give_back(call, result.value4);
    if constexpr (sizeof...(Values) >= 3) give_back(call, result.value5);
    if constexpr (sizeof...(Values) >= 4) give_back(call, result.value6);
    static_assert(sizeof...(Values) <= 4);
}

template <class Argument>
Argument taken(const RecordedCall& call, std::size_t index) {
    Argument argument{};
    call.take(index, &argument, sizeof argument);
    return argument;
}

/// Calls a wrapper of that type.
template <class Wrapper>
struct Caller;

template <class Returned, class... Arguments>
struct CallerOf {
    using ArgumentTypes = TypeList<Arguments...>;

    template <std::size_t... indices>
    static Returned call(void (*wrapper)(), const RecordedCall& call, std::index_sequence<indices...>) {
        return reinterpret_cast<Returned (*)(Arguments...) noexcept>(wrapper)(
            taken<std::remove_cvref_t<Arguments>>(call, indices)...);
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
            give_back(recorded,
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
        give_back_all(recorded, CallerOf<cubind::Result<Status, Values...>, Arguments...>::call(
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

template <class Given>
const char* name_of_type() {
    return __PRETTY_FUNCTION__;
}

/// The entry of a function whose C signature is `C` and whose wrapper should be of type `Wrapper`. Not inline: a list of hundreds
/// would take the compiler three times as long.
template <class C, class Wrapper, class Given>
[[gnu::noinline]] Function function(const char* group, const char* name, const char* symbol, const char* roles,
                                    const char* parameters, Given* given, const Special& special = {}) {
    Function made{group, name, symbol, roles, parameters, &signature<C, Wrapper>, nullptr, nullptr, nullptr, special};
    made.callee = reinterpret_cast<void*>(&Callee<C>::function);
    if constexpr (std::is_same_v<Given, Wrapper>) {
        made.wrapper = reinterpret_cast<void (*)()>(given);
    } else {
        made.actual_type = name_of_type<Given>();
    }
    return made;
}

/// The entry of a name that means the same as in the first mode. Not inline, as above.
[[gnu::noinline]] inline Function same(const char* group, const char* name, const char* symbol, void (*wrapper)()) {
    return {group, name, symbol, "", "", nullptr, nullptr, wrapper, nullptr, {}};
}

}  // namespace cubind::testing
