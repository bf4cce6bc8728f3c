// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/nvrtc.hpp>

#include "random_call.hpp"

namespace cubind::testing {
namespace {

class InterceptEveryTest : public StubbedTest {};

TEST_F(InterceptEveryTest, PassesArgumentsAndResults) {
    std::mt19937 random(5);
    std::size_t functions = 0;
    for (const auto* const library : all_libraries()) {
        for (const auto& function : library->functions) {
            RandomCall call(*library, function, random, RandomCall::Pointers::mixed);
            std::vector<std::byte> returned;
            stub.answer = [&](const cubind::Call& arrived) {
                ++functions;
                EXPECT_EQ(&arrived.function, &function);
                for (std::size_t index = 0; index < function.parameters.size(); ++index) {
                    const std::size_t size = function.parameters[index].type->size;
                    EXPECT_EQ(std::memcmp(arrived.arguments[index], call.argument(index), size), 0)
                        << function.symbol << " " << index;
                }
                call.answer(arrived);
                const auto* const answer = static_cast<const std::byte*>(arrived.returned);
                returned.assign(answer, answer + function.returns->size);
            };
            call.make();
            // A function without a result returns no bytes.
            const bool is_equal = returned.empty() || std::memcmp(call.returned(), returned.data(), returned.size()) == 0;
            EXPECT_TRUE(is_equal) << function.symbol;
        }
    }
    std::size_t all = 0;
    for (const auto* const library : all_libraries()) all += library->functions.size();
    EXPECT_EQ(functions, all);
}

TEST_F(InterceptEveryTest, PassesReturnValuesOtherThanAStatus) {
    stub.answer = [](const cubind::Call& call) {
        EXPECT_FALSE(call.returns_status());
        EXPECT_FALSE(call.failed());
        *static_cast<const char**>(call.returned) = "a text";
    };
    EXPECT_STREQ(cubind::nvrtc::nvrtcGetErrorString(cubind::nvrtc::NVRTC_ERROR_COMPILATION), "a text");
}

}  // namespace
}  // namespace cubind::testing
