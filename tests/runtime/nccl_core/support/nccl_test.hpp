// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core.hpp>
#include <cubind/nccl_core.hpp>

#include "core_test.hpp"
#include "nccl_stand_in.hpp"

namespace cubind::testing {

/// Tests with a stand-in for NCCL and simulated devices.
class NcclTest : public CoreTest {
protected:
    NcclTest() : CoreTest({.devices = 4}) {}

    ~NcclTest() override {  // the members of the test are destroyed
        EXPECT_EQ(stand_in().living, 0);
        EXPECT_EQ(stand_in().registered, 0);
        EXPECT_EQ(stand_in().operators, 0);
        EXPECT_EQ(stand_in().allocated, 0);
        EXPECT_EQ(stand_in().depth, 0);
    }

    static NcclStandIn& stand_in() { return nccl_stand_in(); }
    /// Returns rank 2 of 4.
    static nccl::Communicator communicator(const nccl::CommunicatorConfig& config = {}) {
        return nccl::Communicator::init(Device(2), 4, 2, nccl::UniqueId::create(), config);
    }
    /// Returns the latest operation.
    static const NcclCall& latest() { return stand_in().calls.back(); }

private:
    ScopedNcclStandIn stand_in_;
};

/// Returns the message of the exception of this type that the call throws.
template <class Exception, class Call>
std::string message_of(Call call) {
    try {
        call();
    } catch (const Exception& error) {
        return error.what();
    }
    ADD_FAILURE() << "nothing was thrown";
    return {};
}

}  // namespace cubind::testing
