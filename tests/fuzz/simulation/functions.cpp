// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "functions.hpp"

#include <cstring>
#include <simulation/functions.hpp>
#include <utility>

namespace cubind::fuzz {

namespace {

using namespace sim;

template <class Value>
Value read(const std::byte* argument) {
    Value value;
    std::memcpy(&value, argument, sizeof value);
    return value;
}

template <class Signature>
struct Thunk;

template <class... Parameters>
struct Thunk<CUresult(Parameters...)> {
    static CUresult call(void* address, std::byte* const* arguments) {
        return pass(address, arguments, std::index_sequence_for<Parameters...>());
    }
    template <std::size_t... Indices>
    static CUresult pass(void* address, [[maybe_unused]] std::byte* const* arguments, std::index_sequence<Indices...>) {
        return reinterpret_cast<CUresult (*)(Parameters...)>(address)(read<Parameters>(arguments[Indices])...);
    }
};

template <class Signature>
constexpr auto thunk = &Thunk<Signature>::call;

template <class Return, class... Parameters>
void* empty_function(Return (*)(Parameters...)) {
    return reinterpret_cast<void*>(+[](Parameters...) { return Return(); });
}

template <class Callback>
void* callback() {
    return empty_function(Callback());
}

#include FUNCTIONS

}  // namespace

std::span<const Function> functions() {
    return all_functions;
}

std::span<const Parameter> parameters_of(const Function& function) {
    return std::span(all_parameters).subspan(function.first, function.count);
}

std::span<const Field> fields_of(const Type& record) {
    return std::span(all_fields).subspan(record.first, record.count);
}

std::span<const long long> values_of(const Type& enumerator) {
    return std::span(all_values).subspan(enumerator.first, enumerator.count);
}

const Type& type_at(std::size_t index) {
    return all_types[index];
}

void* callback_at(std::size_t index) {
    return all_callbacks[index]();
}

std::size_t pool_count() {
    return number_of_pools;
}

}  // namespace cubind::fuzz
