// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/launch/dim3.hpp>
#include <cubind/core/stream/stream.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

/// @file
/// The configurations that a sweep measures. <cubind/sweep/sweep.hpp> includes this header.
namespace CUBIND_NAMESPACE::profile {

/// A value of a parameter: an integer, a double or a text. It converts to the type that a call expects, as in
/// `saxpy(case.stream(), {.block = c["block"]}, c["n"])`. In expressions, name the type: `c.get<std::size_t>("n") * 4`.
class CUBIND_EXPORT Value {
public:
    /// Creates an integer. Throws std::invalid_argument if it has more than 63 bits.
    Value(std::integral auto number) : value_(static_cast<std::int64_t>(number)) {
        if (number > 0 && static_cast<std::int64_t>(number) < 0) refuse_large();
    }
    /// Creates a double. Throws std::invalid_argument if it is not finite.
    Value(std::floating_point auto number) : Value(check_finite(static_cast<double>(number)), Checked()) {}
    /// Creates a text.
    Value(std::string text) noexcept : value_(std::move(text)) {}
    /// Creates a text.
    Value(std::string_view text) : value_(std::string(text)) {}
    /// Creates a text. Throws std::invalid_argument for nullptr.
    Value(const char* text);

    /// Returns whether it is an integer or a double.
    [[nodiscard]] bool is_number() const noexcept { return value_.index() < 2; }
    /// Returns the number as a double. Throws std::invalid_argument if it is a text.
    [[nodiscard]] double number() const;
    /// Returns the value as text: integers as decimals, doubles with the fewest digits that restore them.
    [[nodiscard]] std::string text() const;

    /// Returns the number as this type. Throws std::invalid_argument if it is a text, does not fit, or has a fraction and the
    /// type is an integer.
    template <class Number>
    requires std::is_arithmetic_v<Number>
    operator Number() const {
        if constexpr (std::is_floating_point_v<Number>) {
            return static_cast<Number>(number());
        } else {
            using Limits = std::numeric_limits<Number>;
            return static_cast<Number>(integer(Limits::min(), static_cast<std::uint64_t>(Limits::max())));
        }
    }
    /// Returns the number as the extent x of a grid or a block.
    operator Dim3() const { return Dim3(static_cast<std::uint32_t>(*this)); }
    /// Returns text().
    operator std::string() const { return text(); }

    /// Returns whether both have the same kind and value.
    [[nodiscard]] friend bool operator==(const Value&, const Value&) = default;
    /// Returns whether the value is a number that equals the other one.
    template <class Number>
    requires std::is_arithmetic_v<Number>
    [[nodiscard]] friend bool operator==(const Value& value, Number number) { return value == Value(number); }

private:
    struct Checked {};
    Value(double number, Checked) noexcept : value_(number) {}
    static double check_finite(double number);
    [[noreturn]] static void refuse_large();
    std::int64_t integer(std::int64_t minimum, std::uint64_t maximum) const;

    std::variant<std::int64_t, double, std::string> value_;
};

/// A parameter and the values that a sweep gives it.
struct Parameter {
    std::string name;           ///< name, unique in the sweep
    std::vector<Value> values;  ///< at least one, each once
};

/// A parameter with one value.
struct Setting {
    std::string name;  ///< name of the parameter
    Value value;       ///< its value
    /// Returns whether both members are equal.
    [[nodiscard]] friend bool operator==(const Setting&, const Setting&) = default;
};

/// One value for each parameter.
using Configuration = std::vector<Setting>;

/// Returns a configuration as text: "n=65536, block=128".
[[nodiscard]] CUBIND_EXPORT std::string to_string(const Configuration& configuration);

/// The configurations of a sweep: each combination of the values of parameters, or a list.
///
///     Configurations all = {{"n", {1 << 16, 1 << 20}}, {"block", {128, 256}}};     // 4 configurations
///     auto some = Configurations::list({{{"n", 1 << 16}, {"block", 128}}, {{"n", 1 << 20}, {"block", 256}}});
class CUBIND_EXPORT Configurations {
public:
    /// The largest number of configurations of a sweep.
    CUBIND_HIDDEN static constexpr std::size_t max_count = 1'000'000;

    /// Combines all values; the last parameter changes fastest. Throws std::invalid_argument if there is no parameter, if one has
    /// no name, no value or a value twice, if two have the same name, and for more than max_count combinations.
    Configurations(std::initializer_list<Parameter> parameters);
    /// Does the same with the parameters of a vector.
    Configurations(const std::vector<Parameter>& parameters);

    /// Takes a list of configurations. Throws std::invalid_argument if it is empty, or has one twice, or if one of them does not
    /// have exactly the parameters of the first one.
    [[nodiscard]] static Configurations list(std::vector<Configuration> configurations);

    /// Returns the configurations in the order in which they are measured. All have the same parameters in the same order.
    [[nodiscard]] const std::vector<Configuration>& all() const noexcept { return all_; }

private:
    Configurations() = default;

    std::vector<Configuration> all_;
};

/// The configuration that a sweep measures at the moment, and the stream for its work. It is valid during the call.
class CUBIND_EXPORT Case {
public:
    /// Creates the case of a configuration, which must outlive it.
    Case(StreamRef stream, const Configuration& configuration) noexcept : stream_(stream), configuration_(&configuration) {}

    /// Returns the stream. Only its work is measured.
    [[nodiscard]] StreamRef stream() const noexcept { return stream_; }
    /// Returns the value of a parameter. Throws std::invalid_argument, which lists the parameters, if there is none of this name.
    [[nodiscard]] const Value& operator[](std::string_view parameter) const;
    /// Returns the value of a parameter as a number, or as std::string. Throws like operator[] and the conversion.
    template <class Type>
    [[nodiscard]] Type get(std::string_view parameter) const {
        return static_cast<Type>((*this)[parameter]);
    }
    /// Returns the values of all parameters.
    [[nodiscard]] const Configuration& configuration() const noexcept { return *configuration_; }

private:
    StreamRef stream_;
    const Configuration* configuration_;
};

}  // namespace CUBIND_NAMESPACE::profile
