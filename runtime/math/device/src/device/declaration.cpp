// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "device/declaration.hpp"

#include <algorithm>
#include <cctype>

#include "errors/misuse.hpp"

namespace CUBIND_NAMESPACE::math::device::detail {

using cubind::detail::throw_misuse;

std::string type_name(Precision precision, Domain domain) {
    const bool is_complex = domain == Domain::complex;
    switch (precision) {
        case Precision::f32:
            return is_complex ? "float2" : "float";
        case Precision::f64:
            return is_complex ? "double2" : "double";
        case Precision::i8:
            return is_complex ? "char2" : "signed char";
        case Precision::i16:
            return is_complex ? "short2" : "short";
        case Precision::i32:
            return is_complex ? "int2" : "int";
        case Precision::i64:
            return is_complex ? "longlong2" : "long long";
        case Precision::u8:
            return is_complex ? "uchar2" : "unsigned char";
        case Precision::u16:
            return is_complex ? "ushort2" : "unsigned short";
        case Precision::u32:
            return is_complex ? "uint2" : "unsigned int";
        case Precision::u64:
            return is_complex ? "ulonglong2" : "unsigned long long";
        default:
            return "void";
    }
}

std::size_t element_size(Precision precision, Domain domain) {
    return size_of(precision) * (domain == Domain::complex ? 2 : 1);
}

std::string traits_declaration(const std::string& symbol,
                               const std::vector<std::pair<const char*, unsigned long long>>& constants) {
    std::string text = "struct " + symbol + "_traits {\n";
    for (const auto& [name, value] : constants) {
        text += std::string("    static constexpr unsigned int ") + name + " = " + std::to_string(value) + ";\n";
    }
    return text + "};\n";
}

std::string function_declaration(const std::string& symbol, const std::string& parameters) {
    return "extern \"C\" __device__ void " + symbol + "(" + parameters + ");\n";
}

void check_symbol(const std::string& symbol, const char* owner) {
    const auto is_part = [](char letter) { return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_'; };
    const bool is_name = !symbol.empty() && std::isdigit(static_cast<unsigned char>(symbol.front())) == 0 &&
                         std::all_of(symbol.begin(), symbol.end(), is_part);
    if (!is_name) throw_misuse(owner, "::symbol is \"", symbol, "\", which is no name of C++: use letters, digits and _");
}

void check_size(std::size_t size, const char* what) {
    constexpr std::size_t limit = 0x7fffffff;
    if (size == 0 || size > limit) throw_misuse(what, " is ", size, ", but must be 1 to ", limit);
}

}  // namespace CUBIND_NAMESPACE::math::device::detail
