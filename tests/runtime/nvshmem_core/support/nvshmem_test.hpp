// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core.hpp>
#include <cubind/nvshmem_core.hpp>

#include <string>

#include "core_test.hpp"
#include "nvshmem_stand_in.hpp"

namespace cubind::testing {

/// Tests with a stand-in for NVSHMEM and simulated devices.
class NvshmemTest : public CoreTest {
protected:
    NvshmemTest() : CoreTest({.devices = 4}) {}

    ~NvshmemTest() override {  // the members of the test are destroyed
        EXPECT_EQ(stand_in().size, 0) << "the session has not ended";
        EXPECT_EQ(stand_in().allocated, 0);
        EXPECT_EQ(stand_in().registered, 0);
        EXPECT_EQ(stand_in().codes, 0);
    }

    static NvshmemStandIn& stand_in() { return nvshmem_stand_in(); }
    /// Returns PE 2 of 4.
    static nvshmem::Session begin(int n_pes = 4, int pe = 2) {
        return nvshmem::Session::init(Device(2), n_pes, pe, nvshmem::Session::create_id());
    }
    /// Returns the latest operation.
    static const NvshmemCall& latest() { return stand_in().calls.back(); }

private:
    ScopedNvshmemStandIn stand_in_;
};

/// Tests in a session.
class NvshmemSessionTest : public NvshmemTest {
protected:
    /// Checks the latest call.
    void expect_call(const char* function, const void* destination, const void* source, std::size_t count, int pe,
                     int team = -1) {
        EXPECT_EQ(latest().function, function);
        EXPECT_EQ(latest().destination, destination);
        EXPECT_EQ(latest().source, source);
        EXPECT_EQ(latest().count, count);
        EXPECT_EQ(latest().pe, pe);
        EXPECT_EQ(latest().team, team);
        EXPECT_EQ(latest().stream, stream_.native_handle());
    }
    template <class Element>
    TypedBuffer<Element> allocate(std::size_t count) {
        return memory_.allocate<Element>(stream_, count);
    }

    nvshmem::Session session_ = begin();
    Stream stream_{Device(2)};
    nvshmem::SymmetricMemoryResource memory_{session_};
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
