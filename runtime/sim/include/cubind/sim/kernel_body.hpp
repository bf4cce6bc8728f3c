// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <bit>
#include <cstring>
#include <functional>
#include <tuple>
#include <type_traits>
#include <utility>

#include <cubind/sim/launch.hpp>

/// How a callable becomes what is called for a launch. Programs use kernels.hpp.
namespace cubind::sim::detail {

/// Where a parameter lies in a kernel's arguments.
struct ParameterPlace {
    std::size_t offset;
    std::size_t size;
    bool operator==(const ParameterPlace&) const = default;
};

struct Body {
    std::vector<ParameterPlace> parameters;  ///< that the callable takes
    std::function<void(const Launch&)> call;
};

void define(std::string name, Body body);

template <class Callable>
struct SignatureOf : SignatureOf<decltype(&Callable::operator())> {};
template <class... All>
struct SignatureOf<void (*)(All...)> {
    using Decayed = std::tuple<std::remove_cvref_t<All>...>;
};
template <class Class, class... All>
struct SignatureOf<void (Class::*)(All...)> : SignatureOf<void (*)(All...)> {};
template <class Class, class... All>
struct SignatureOf<void (Class::*)(All...) const> : SignatureOf<void (*)(All...)> {};

/// The places that a compiler gives to parameters of these types.
template <class... Parameters>
std::vector<ParameterPlace> places() {
    std::size_t end = 0;
    const auto next = [&end](std::size_t size, std::size_t alignment) {
        const std::size_t offset = (end + alignment - 1) / alignment * alignment;
        end = offset + size;
        return ParameterPlace{offset, size};
    };
    return {next(sizeof(Parameters), alignof(Parameters))...};
}

template <class Parameter>
Parameter argument(const Launch& launch, const ParameterPlace& place) {
    static_assert(std::is_trivially_copyable_v<Parameter>, "kernels take their arguments as bytes");
    std::array<std::byte, sizeof(Parameter)> bytes;
    std::memcpy(bytes.data(), launch.arguments.data() + place.offset, sizeof(Parameter));
    return std::bit_cast<Parameter>(bytes);
}

/// Calls for every thread of a launch: threads of a block, blocks of a grid, x first.
template <class Call>
void for_each_thread(const Launch& launch, Call call) {
    const auto for_each = [](const Dim3& end, auto visit) {
        for (unsigned z = 0; z < end.z; ++z) {
            for (unsigned y = 0; y < end.y; ++y) {
                for (unsigned x = 0; x < end.x; ++x) visit(Dim3{x, y, z});
            }
        }
    };
    for_each(launch.grid, [&](const Dim3& block) {
        for_each(launch.block, [&](const Dim3& thread) { call(Thread{launch, launch.grid, launch.block, block, thread}); });
    });
}

template <class Callable, class Subject, class... Parameters, std::size_t... Index>
Body make_body(Callable callable, std::tuple<Subject, Parameters...>*, std::index_sequence<Index...>) {
    static_assert(std::is_same_v<Subject, Launch> || std::is_same_v<Subject, Thread>,
                  "a kernel's body takes a const Launch& or a const Thread& first");
    const auto places = detail::places<Parameters...>();
    return {places, [callable = std::move(callable), places]([[maybe_unused]] const Launch& launch) mutable {
                const std::tuple<Parameters...> arguments{argument<Parameters>(launch, places[Index])...};
                if constexpr (std::is_same_v<Subject, Launch>) {
                    callable(launch, std::get<Index>(arguments)...);
                } else {
                    for_each_thread(launch, [&](const Thread& thread) { callable(thread, std::get<Index>(arguments)...); });
                }
            }};
}

template <class Callable>
Body make_body(Callable callable) {
    using All = typename SignatureOf<Callable>::Decayed;
    static_assert(std::tuple_size_v<All> > 0, "a kernel's body takes a const Launch& or a const Thread& first");
    return make_body(std::move(callable), static_cast<All*>(nullptr), std::make_index_sequence<std::tuple_size_v<All> - 1>());
}

}  // namespace cubind::sim::detail
