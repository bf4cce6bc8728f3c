// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "layers_test.hpp"
#include "values/capture.hpp"

namespace cubind::testing {
namespace {

using reflection::Direction;
using reflection::Kind;

// Bytes that captured values of a function need even where nothing that pointers point to finds room.
std::size_t least_bytes(const reflection::Function& function) {
    std::size_t bytes = function.returns->size + sizeof(layers::Pointee);
    for (const auto& parameter : function.parameters) {
        bytes += std::max<std::size_t>(parameter.type->size, 1);
        if (parameter.type->kind != Kind::pointer) continue;
        const auto& inner = *parameter.type->inner;
        const bool holds_texts = inner.kind == Kind::pointer && inner.inner->kind == Kind::character;
        const std::size_t marks = sizeof(layers::Pointee) * (holds_texts ? 1 + layers::most_elements : 1);
        bytes += marks * (parameter.direction == Direction::inout ? 2 : 1);
    }
    return bytes;
}

TEST(CaptureReserve, HoldsEveryFunctionsArguments) {
    for (const auto* const library : all_libraries()) {
        for (const auto& function : library->functions) EXPECT_LE(least_bytes(function), layers::reserved_capture) << function.symbol;
    }
}

}  // namespace
}  // namespace cubind::testing
