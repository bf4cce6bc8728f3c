// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/sim/launch.hpp>

#include <array>
#include <bit>
#include <cstring>
#include <functional>
#include <tuple>
#include <type_traits>
#include <utility>

/// @file
/// Implementation of define_kernel(): converts a callable to a function that runs for each launch. Programs include
/// kernels.hpp instead.
namespace CUBIND_NAMESPACE::sim::detail {

/// The position and the size of one parameter among a kernel's argument bytes.
struct ParameterLayout {
    std::size_t offset;  ///< bytes from the first argument byte
    std::size_t size;    ///< bytes
    /// Compares offset and size.
    bool operator==(const ParameterLayout&) const = default;
};

/// The body of a kernel and the layout of its parameters.
struct Body {
    std::vector<ParameterLayout> parameters;  ///< parameters that the callable accepts
    std::function<void(const Launch&)> call;  ///< runs the callable for one launch
};

/// Registers a body under the kernel's name and replaces a previous one.
void define(std::string name, Body body);

/// Deduces the decayed parameter types of a callable.
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

/// Returns the positions and sizes of kernel parameters of these types, as compilers lay them out.
template <class... Parameters>
std::vector<ParameterLayout> parameter_layouts() {
    std::size_t end = 0;
    [[maybe_unused]] const auto next = [&end](std::size_t size, std::size_t alignment) {
        const std::size_t offset = (end + alignment - 1) / alignment * alignment;
        end = offset + size;
        return ParameterLayout{offset, size};
    };
    return {next(sizeof(Parameters), alignof(Parameters))...};
}

/// Reads one argument of a launch.
template <class Parameter>
Parameter read_argument(const Launch& launch, const ParameterLayout& layout) {
    static_assert(std::is_trivially_copyable_v<Parameter>, "kernel parameters must be trivially copyable");
    std::array<std::byte, sizeof(Parameter)> bytes;
    std::memcpy(bytes.data(), launch.arguments.data() + layout.offset, sizeof(Parameter));
    return std::bit_cast<Parameter>(bytes);
}

/// Calls `call(thread)` for each thread of a launch, one after the other: all threads of a block, then the next block.
/// x varies fastest.
template <class Call>
void for_each_thread(const Launch& launch, Call call) {
    const auto for_each = [](const Extent3& end, auto visit) {
        for (unsigned z = 0; z < end.z; ++z) {
            for (unsigned y = 0; y < end.y; ++y) {
                for (unsigned x = 0; x < end.x; ++x) visit(Index3{x, y, z});
            }
        }
    };
    for_each(launch.grid, [&](const Index3& block) {
        for_each(launch.block, [&](const Index3& thread) { call(Thread{launch, launch.grid, launch.block, block, thread}); });
    });
}

/// Creates the body from the callable and its parameter types. Subject is Launch or Thread.
template <class Callable, class Subject, class... Parameters, std::size_t... Index>
Body make_body(Callable callable, std::tuple<Subject, Parameters...>*, std::index_sequence<Index...>) {
    static_assert(std::is_same_v<Subject, Launch> || std::is_same_v<Subject, Thread>,
                  "the first parameter of a kernel body must be const Launch& or const Thread&");
    const auto layouts = parameter_layouts<Parameters...>();
    return {layouts, [callable = std::move(callable), layouts]([[maybe_unused]] const Launch& launch) mutable {
                const std::tuple<Parameters...> arguments{read_argument<Parameters>(launch, layouts[Index])...};
                if constexpr (std::is_same_v<Subject, Launch>) {
                    callable(launch, std::get<Index>(arguments)...);
                } else {
                    for_each_thread(launch, [&](const Thread& thread) { callable(thread, std::get<Index>(arguments)...); });
                }
            }};
}

/// Creates the body from a callable whose first parameter is const Launch& or const Thread&.
template <class Callable>
Body make_body(Callable callable) {
    using All = typename SignatureOf<Callable>::Decayed;
    static_assert(std::tuple_size_v<All> > 0, "the first parameter of a kernel body must be const Launch& or const Thread&");
    return make_body(std::move(callable), static_cast<All*>(nullptr), std::make_index_sequence<std::tuple_size_v<All> - 1>());
}

}  // namespace CUBIND_NAMESPACE::sim::detail
