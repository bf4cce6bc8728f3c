// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/strided/dimensions.hpp>

#include "errors/misuse.hpp"

namespace CUBIND_NAMESPACE {

void detail::throw_too_many_dimensions_of_view(std::size_t count) {
    throw_misuse("a shape of ", count, " dimensions: cubind supports at most ", Dimensions::max_rank);
}

void detail::throw_no_dimension(std::size_t dimension, std::size_t rank) {
    throw_misuse("dimension ", dimension, " does not exist: there are ", rank, " dimensions, and the first is 0");
}

std::string to_string(const Dimensions& dimensions) {
    std::string text = "(";
    for (const std::int64_t value : dimensions) {
        if (text.size() > 1) text += ", ";
        text += std::to_string(value);
    }
    return text + ")";
}

}  // namespace CUBIND_NAMESPACE
