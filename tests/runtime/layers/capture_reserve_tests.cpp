// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "layers_test.hpp"
#include "values/capture.hpp"

namespace cubind::testing {
namespace {

using reflection::Direction;
using reflection::Kind;

// Returns the bytes that the captured values of a function need if no target of a pointer is copied.
std::size_t min_bytes(const reflection::Function& function) {
    std::size_t bytes = function.returns->size + sizeof(layers::Pointee);
    for (const auto& parameter : function.parameters) {
        bytes += std::max<std::size_t>(parameter.type->size, 1);
        if (parameter.type->kind == Kind::handle) ++bytes;  // the length of its name
        if (parameter.type->kind != Kind::pointer) continue;
        const auto& inner = *parameter.type->inner;
        const bool holds_texts = inner.kind == Kind::pointer && inner.inner->kind == Kind::character;
        const std::size_t headers = sizeof(layers::Pointee) * (holds_texts ? 1 + layers::max_elements : 1);
        bytes += headers * (parameter.direction == Direction::inout ? 2 : 1);
    }
    return bytes;
}

TEST(CaptureTest, ReservesRoomForTheArgumentsOfEveryFunction) {
    for (const auto* const library : all_libraries()) {
        for (const auto& function : library->functions)
            EXPECT_LE(min_bytes(function), layers::reserved_capture) << function.symbol;
    }
}

}  // namespace
}  // namespace cubind::testing
