// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Arithmetic of float and double.
#include <bit>
#include <cmath>

#include "ptx/handlers/lanes.hpp"
#include "ptx/handlers/vector_families.hpp"

namespace CUBIND_NAMESPACE::sim::ptx::CUBIND_SIM_VECTORS {

namespace {

// Results of type float that are no number have these bits. Those of double keep their payload.
inline float canonical(float value) {
    return value != value ? std::bit_cast<float>(0x7fffffffu) : value;
}
inline double canonical(double value) {
    return value;
}

template <class Type>
Type add(Type a, Type b) {
    return canonical(a + b);
}
template <class Type>
Type subtract(Type a, Type b) {
    return canonical(a - b);
}
template <class Type>
Type multiply(Type a, Type b) {
    return canonical(a * b);
}
template <class Type>
Type multiply_add(Type a, Type b, Type c) {
    return canonical(std::fma(a, b, c));
}

template <class Type>
struct Add {
    static constexpr Handler handler = Compute<add<Type>>::run;
};
template <class Type>
struct Subtract {
    static constexpr Handler handler = Compute<subtract<Type>>::run;
};
template <class Type>
struct Multiply {
    static constexpr Handler handler = Compute<multiply<Type>>::run;
};
template <class Type>
struct MultiplyAdd {
    static constexpr Handler handler = Compute<multiply_add<Type>>::run;
};

template <template <class> class Make>
Handler select(Choice& choice) {
    return for_type<Make, float, double>(choice.modifiers.type());
}

constexpr Form forms[] = {
    {"add", "[.rn] .f32|.f64", "=t t t", select<Add>},
    {"sub", "[.rn] .f32|.f64", "=t t t", select<Subtract>},
    {"mul", "[.rn] .f32|.f64", "=t t t", select<Multiply>},
    {"fma", ".rn .f32|.f64", "=t t t t", select<MultiplyAdd>},
};

}  // namespace

Forms float_forms() {
    return forms;
}

}  // namespace CUBIND_NAMESPACE::sim::ptx::CUBIND_SIM_VECTORS
