// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// What the generated headers <cubind/LIBRARY/format.hpp> use, and std::format() for results. A standard library without <format>
/// gets nothing.

#include <cubind/detail/abi.hpp>

#include <version>

#ifdef __cpp_lib_format

#include <cubind/tuple.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <format>
#include <iterator>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace CUBIND_NAMESPACE::detail {

/// The name of an enumerator, or "unrecognized TYPE (VALUE)".
template <class Enum>
std::string enumerator_text(Enum value) {
    std::string text = to_string(value);
    if (text.starts_with("unrecognized ")) {
        text += " (" + std::to_string(static_cast<std::underlying_type_t<Enum>>(value)) + ")";
    }
    return text;
}

/// Returns whether all bytes of a value are zero.
template <class Value>
bool is_zero(const Value& value) {
    unsigned char bytes[sizeof(Value)];
    std::memcpy(bytes, &value, sizeof(Value));
    return std::all_of(std::begin(bytes), std::end(bytes), [](unsigned char byte) { return byte == 0; });
}

/// Writes the fields of a record or a result as {first = 1, second = 2}.
class FieldText {
public:
    /// Writes a field. A type without a name has `visit_nested`, which visits its fields. An array is left out if it is zero,
    /// because most of them are reserved.
    template <class Value, class VisitNested = std::nullptr_t>
    void operator()(const char* name, const Value& value, VisitNested visit_nested = nullptr) {
        if constexpr (std::is_array_v<Value>) {
            if (is_zero(value)) return;
        }
        text_ += std::exchange(separator_, ", ");
        text_ += name;
        text_ += " = ";
        add(value, visit_nested);
    }

    /// Writes a member of a union if it is not zero.
    template <class Value, class VisitNested = std::nullptr_t>
    void alternative(const char* name, const Value& value, VisitNested visit_nested = nullptr) {
        if (!is_zero(value)) (*this)(name, value, visit_nested);
    }

    /// Returns the text with its closing brace.
    std::string take() && { return std::move(text_) + "}"; }

private:
    CUBIND_HIDDEN static constexpr std::size_t max_elements = 16;

    template <class Value, class VisitNested>
    void add(const Value& value, VisitNested visit_nested) {
        if constexpr (!std::is_null_pointer_v<VisitNested> && !std::is_array_v<Value>) {
            FieldText fields;
            visit_nested(value, fields);
            text_ += std::move(fields).take();
        } else if constexpr (requires { visit_fields(value, *this); }) {
            FieldText fields;
            visit_fields(value, fields);
            text_ += std::move(fields).take();
        } else if constexpr (std::is_array_v<Value>) {
            add_array(value, visit_nested);
        } else if constexpr (std::is_enum_v<Value>) {
            text_ += enumerator_text(value);
        } else if constexpr (std::is_same_v<Value, bool>) {
            text_ += value ? "true" : "false";
        } else if constexpr (std::is_arithmetic_v<Value>) {
            text_ += std::format("{}", +value);  // + lets characters be numbers
        } else if constexpr (std::is_pointer_v<Value>) {
            text_ += std::format("{:#x}", reinterpret_cast<std::uintptr_t>(value));
        } else {
            text_ += "{...}";  // the vendor's header does not describe it
        }
    }

    template <class Element, std::size_t count, class VisitNested>
    void add_array(const Element (&values)[count], VisitNested visit_nested) {
        if constexpr (std::is_same_v<Element, char>) {
            // Some arrays of characters hold bytes of an identifier, and no text.
            const char* const end = std::find(values, values + count, '\0');
            const bool is_text = std::all_of(values, end, [](char each) { return each >= ' ' && each <= '~'; }) &&
                                 std::all_of(end, values + count, [](char each) { return each == '\0'; });
            if (is_text) {
                text_ += '"' + std::string(values, end) + '"';
                return;
            }
        }
        text_ += '[';
        for (std::size_t index = 0; index < std::min(count, max_elements); ++index) {
            if (index > 0) text_ += ", ";
            add(values[index], visit_nested);
        }
        text_ += count > max_elements ? ", ...]" : "]";
    }

    std::string text_ = "{";
    const char* separator_ = "";
};

/// The formatters accept the format specifications of text: "{:>30}".
template <class Enum>
struct EnumFormatter : std::formatter<std::string_view> {
    template <class Context>
    auto format(Enum value, Context& context) const {
        return std::formatter<std::string_view>::format(enumerator_text(value), context);
    }
};

template <class Record>
struct RecordFormatter : std::formatter<std::string_view> {
    template <class Context>
    auto format(const Record& record, Context& context) const {
        FieldText fields;
        visit_fields(record, fields);
        return std::formatter<std::string_view>::format(std::move(fields).take(), context);
    }
};

}  // namespace CUBIND_NAMESPACE::detail

/// Writes a result as {status = CUDA_SUCCESS, value = 13050}.
template <class... Elements>
struct std::formatter<cubind::Result<Elements...>> : std::formatter<std::string_view> {
    template <class Context>
    auto format(const cubind::Result<Elements...>& result, Context& context) const {
        cubind::detail::FieldText fields;
        std::size_t index = 0;
        const auto add = [&](const auto& element) {
            const std::string number = sizeof...(Elements) > 2 ? std::to_string(index) : std::string();
            fields(index == 0 ? "status" : ("value" + number).c_str(), element);
            ++index;
        };
        cubind::apply([&](const auto&... elements) { (add(elements), ...); }, result);
        return std::formatter<std::string_view>::format(std::move(fields).take(), context);
    }
};

#endif
