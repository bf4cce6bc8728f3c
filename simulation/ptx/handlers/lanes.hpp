// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include "ptx/forms/form.hpp"
#include "ptx/run/warp.hpp"

/// Templates that make handlers from functions of one thread. The files of handlers are compiled once for each instruction set of
/// the processor, in the namespace CUBIND_SIM_VECTORS. Compilers vectorize the loops over the threads of a warp.
///
/// An instruction may use one slot as a source and as its destination. Slots are equal or disjoint, so that the loops have no
/// other dependency.
#if defined(__clang__)
#define CUBIND_FOR_LANES(lane) _Pragma("clang loop vectorize(assume_safety)") for (unsigned lane = 0; lane < warp_size; ++lane)
#else
#define CUBIND_FOR_LANES(lane) _Pragma("GCC ivdep") for (unsigned lane = 0; lane < warp_size; ++lane)
#endif

namespace CUBIND_NAMESPACE::sim::ptx::CUBIND_SIM_VECTORS {

/// The bit of each thread in a mask.
alignas(64) inline constexpr std::uint32_t lane_bits[warp_size] = {
    1u << 0,  1u << 1,  1u << 2,  1u << 3,  1u << 4,  1u << 5,  1u << 6,  1u << 7,  1u << 8,  1u << 9,  1u << 10,
    1u << 11, 1u << 12, 1u << 13, 1u << 14, 1u << 15, 1u << 16, 1u << 17, 1u << 18, 1u << 19, 1u << 20, 1u << 21,
    1u << 22, 1u << 23, 1u << 24, 1u << 25, 1u << 26, 1u << 27, 1u << 28, 1u << 29, 1u << 30, 1u << 31,
};

/// Applies a function to the sources of each active thread, and writes the result to the destination of the thread.
template <class Result, class Call, class... Source>
inline void write_lanes(const Warp& warp, Result* to, Call call, const Source*... from) {
    if (warp.is_full()) {
        CUBIND_FOR_LANES(lane) to[lane] = call(from[lane]...);
    } else {
        const std::uint32_t mask = warp.mask;
        CUBIND_FOR_LANES(lane) to[lane] = (mask & lane_bits[lane]) != 0 ? call(from[lane]...) : to[lane];
    }
}

/// Returns the bits of the active threads for which a function of their sources is true.
template <class Call, class... Source>
inline std::uint32_t test_lanes(const Warp& warp, Call call, const Source*... from) {
    std::uint32_t bits = 0;
    CUBIND_FOR_LANES(lane) bits |= call(from[lane]...) ? lane_bits[lane] : 0u;
    return bits & warp.mask;
}

/// The handler of an instruction "d, a, b, ..." that computes Function(a, b, ...) for each thread.
template <auto Function>
struct Compute;

template <class Result, class... Source, Result (*Function)(Source...)>
struct Compute<Function> {
    static const Instruction* run(Warp& warp, const Instruction* instruction) {
        return run(warp, instruction, std::index_sequence_for<Source...>{});
    }

private:
    template <std::size_t... Index>
    static const Instruction* run(Warp& warp, const Instruction* instruction, std::index_sequence<Index...>) {
        write_lanes(
            warp, warp.to<Result>(instruction->slots[0]), [](Source... source) { return Function(source...); },
            warp.from<Source>(instruction->slots[Index + 1])...);
        return instruction + 1;
    }
};

/// The handler of an instruction "d, a, b, c" that computes a function of two sources and a predicate.
template <auto Function>
struct ComputeWithPredicate;

template <class Result, class First, class Second, Result (*Function)(First, Second, bool)>
struct ComputeWithPredicate<Function> {
    static const Instruction* run(Warp& warp, const Instruction* instruction) {
        const std::uint32_t predicate = warp.predicate(instruction->slots[3]);
        write_lanes(
            warp, warp.to<Result>(instruction->slots[0]),
            [predicate](First a, Second b, std::uint32_t bit) { return Function(a, b, (predicate & bit) != 0); },
            warp.from<First>(instruction->slots[1]), warp.from<Second>(instruction->slots[2]), lane_bits);
        return instruction + 1;
    }
};

/// Whether a type modifier is a C++ type of the handlers. Types without a sign in the text are unsigned.
template <class Type>
constexpr bool is_type(std::string_view name) noexcept;
template <>
constexpr bool is_type<std::uint16_t>(std::string_view name) noexcept {
    return name == ".u16" || name == ".b16";
}
template <>
constexpr bool is_type<std::int16_t>(std::string_view name) noexcept {
    return name == ".s16";
}
template <>
constexpr bool is_type<std::uint32_t>(std::string_view name) noexcept {
    return name == ".u32" || name == ".b32";
}
template <>
constexpr bool is_type<std::int32_t>(std::string_view name) noexcept {
    return name == ".s32";
}
template <>
constexpr bool is_type<std::uint64_t>(std::string_view name) noexcept {
    return name == ".u64" || name == ".b64";
}
template <>
constexpr bool is_type<std::int64_t>(std::string_view name) noexcept {
    return name == ".s64";
}
template <>
constexpr bool is_type<float>(std::string_view name) noexcept {
    return name == ".f32";
}
template <>
constexpr bool is_type<double>(std::string_view name) noexcept {
    return name == ".f64";
}

/// Returns what `make`, a lambda expression with a type as its template parameter, makes for the type with this name, or null if
/// it is none of them.
template <auto make, class... Type>
Handler for_type(std::string_view name) {
    Handler handler = nullptr;
    (void)((is_type<Type>(name) ? (handler = make.template operator()<Type>(), true) : false) || ...);
    return handler;
}

}  // namespace CUBIND_NAMESPACE::sim::ptx::CUBIND_SIM_VECTORS
