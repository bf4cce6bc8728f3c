// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/launch/kernel_function.hpp>
#include <cubind/core/memory/typed_buffer.hpp>
#include <cubind/core/strided/strided_span.hpp>
#include <cubind/kernels/embedded_kernel.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <tuple>
#include <utility>

namespace CUBIND_NAMESPACE {

namespace detail {

/// Throws std::invalid_argument for an extent or a stride of an array that exceeds the type of a kernel's indices.
[[noreturn]] CUBIND_EXPORT void throw_large_index(long long value, long long limit);

}  // namespace detail

/// A parameter of a TileFunction for an array of Python's `cuda.tile`. The kernel takes it as 1 + 2 * Rank parameters: the
/// address, the extents, and the strides in elements. `Index` is the type of extents and strides, the `index_dtype` of the
/// exported signature. As an argument, it exists only during the call.
template <class Element, int Rank, std::signed_integral Index = std::int32_t>
class TileArray {
public:
    /// Converts elements with any strides. Throws std::invalid_argument if an extent or a stride exceeds Index.
    template <detail::PointsTo<Element> Other>
    TileArray(const StridedSpan<Other, Rank>& elements) : pointer_(static_cast<Element*>(elements.data)) {
        for (std::size_t i = 0; i < std::size_t{Rank}; ++i) {
            extents_[i] = index(elements.shape[i]);
            strides_[i] = index(elements.strides[i]);
        }
    }
    /// Converts elements that follow each other. Throws like the constructor above.
    template <detail::PointsTo<Element> Other>
    requires(Rank == 1) TileArray(std::span<Other> elements) : TileArray(elements.data(), elements.size()) {}
    /// Converts the elements of a buffer. A graph that captures the launch retains the buffer. Throws like the constructors
    /// above.
    template <detail::PointsTo<Element> Other>
    requires(Rank == 1) TileArray(const TypedBuffer<Other>& buffer) : TileArray(buffer, buffer.count()) {}

    /// Returns the parameters of the kernel, which refer to this object.
    auto parameters() const {
        return std::apply([&](const auto&... index) { return std::tie(pointer_, index...); },
                          std::tuple_cat(references(extents_), references(strides_)));
    }

private:
    template <class Memory>
    TileArray(const Memory& memory, std::size_t count)
        : pointer_(memory), extents_{index(static_cast<long long>(count))}, strides_{1} {}

    static Index index(long long value) {
        constexpr long long limit = std::numeric_limits<Index>::max();
        if (value > limit || value < -limit) detail::throw_large_index(value, limit);
        return static_cast<Index>(value);
    }

    static auto references(const std::array<Index, Rank>& numbers) {
        return std::apply([](const auto&... number) { return std::tie(number...); }, numbers);
    }

    detail::PointerArgument<Element> pointer_;
    std::array<Index, Rank> extents_{}, strides_{};
};

namespace detail {

/// The parameters of a kernel.
template <class... Types>
struct ParameterTypes {
    /// Launches with the arguments of the parameters.
    static void launch(StreamRef stream, const LaunchConfig& config, const Kernel& kernel,
                       const typename ParameterOf<Types>::Type&... arguments) {
        launch_function<Types...>(stream, config, kernel, arguments...);
    }
    static void check(const Kernel& kernel, const Device& device) {
        (check_kernel_argument<Types>(), ...);
        check_signature(kernel, types_of<Types...>.numbers, device);
    }
};

template <class... Left, class... Right>
ParameterTypes<Left..., Right...> operator+(ParameterTypes<Left...>, ParameterTypes<Right...>);

/// What a parameter of a TileFunction becomes.
template <class Parameter>
struct TileParameter {
    using Argument = ArgumentFor<Parameter>;
    using Types = ParameterTypes<Parameter>;
    static auto parameters(const Argument& argument) { return std::tie(argument); }
};

template <class Index, std::size_t>
using Repeated = Index;

template <class Element, int Rank, class Index>
struct TileParameter<TileArray<Element, Rank, Index>> {
    using Argument = TileArray<Element, Rank, Index>;
    template <std::size_t... i>
    static ParameterTypes<Element*, Repeated<Index, i>...> types(std::index_sequence<i...>);
    using Types = decltype(types(std::make_index_sequence<2 * Rank>()));
    static auto parameters(const Argument& argument) { return argument.parameters(); }
};

}  // namespace detail

/// Not defined: a signature must be `void(Parameters...)`.
template <class Signature>
class TileFunction;

/// A kernel that Python's `cuda.tile` has exported, with a signature. Its arrays are TileArrays; it has no parameter for a
/// constant. It is launched with the number of blocks, each of which works on tiles. A handle: it is cheap to copy. Any thread
/// may call it.
///
///     const ObjectCode code = ObjectCode::from_file(CodeType::cubin, "add.cubin");
///     TileFunction<void(TileArray<const float, 1>, TileArray<float, 1>)> add(code.kernel(symbol), device);
///     add(stream, blocks_for(n, 256), x, y);
template <class... Parameters>
class TileFunction<void(Parameters...)> {
    using Types = decltype((detail::ParameterTypes<>() + ... + typename detail::TileParameter<Parameters>::Types()));

public:
    /// Compares the number and the sizes of the parameters with those of the kernel, and throws std::invalid_argument if they
    /// differ.
    TileFunction(Kernel kernel, const Device& device) : kernel_(std::move(kernel)) { Types::check(kernel_, device); }

    /// Launches `blocks` blocks on the stream's device, as KernelFunction does.
    void operator()(StreamRef stream, Dim3 blocks,
                    const typename detail::TileParameter<Parameters>::Argument&... arguments) const {
        std::apply([&](const auto&... values) { Types::launch(stream, {.grid = blocks}, kernel_, values...); },
                   std::tuple_cat(detail::TileParameter<Parameters>::parameters(arguments)...));
    }

    /// Returns the kernel that the calls launch.
    [[nodiscard]] const Kernel& kernel() const noexcept { return kernel_; }

private:
    Kernel kernel_;
};

}  // namespace CUBIND_NAMESPACE
