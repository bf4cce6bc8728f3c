// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "values/arguments.hpp"

namespace CUBIND_NAMESPACE::layers {

bool count_argument(const Call& call, std::size_t index, unsigned long long& count) noexcept {
    const Parameter& parameter = call.function.parameters[index];
    const void* data = call.arguments[index];
    const Type* type = parameter.type;
    if (type->kind == Kind::pointer) {
        type = type->inner;
        data = readable_target(call, index, type->size);
    }
    if (data == nullptr) return false;
    count = read_integer(*type, data);
    return true;
}

bool length_of(const Call& call, const Parameter& parameter, unsigned long long& length) noexcept {
    length = parameter.length.number;
    if (length == 0) return false;
    for (const unsigned char position : {parameter.length.first, parameter.length.second}) {
        if (position == reflection::no_parameter) continue;
        unsigned long long count = 0;
        if (!count_argument(call, position, count)) return false;
        if (__builtin_mul_overflow(length, count, &length)) return false;
    }
    return true;
}

}  // namespace CUBIND_NAMESPACE::layers
