// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/device/device.hpp>
#include <cubind/core/stream/stream.hpp>

#include <functional>
#include <stdexcept>

#include "core_test.hpp"
#include "exported_file.hpp"
#include "gate.hpp"

namespace cubind::testing {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// Two simulated devices, a stream on the first, and no current context.
class InteropTest : public CoreTest {
protected:
    /// Expects std::invalid_argument whose message contains the texts.
    template <class... Texts>
    static void expect_misuse(const std::function<void()>& function, const Texts&... texts) {
        EXPECT_THAT(message_of<std::invalid_argument>(function), AllOf(HasSubstr(texts)...));
    }

    Device device{0};
    Stream stream{device};
};

}  // namespace cubind::testing
