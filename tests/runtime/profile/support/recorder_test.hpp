// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/cupti/types.hpp>
#include <cubind/profile/outputs.hpp>
#include <cubind/profile/recorder.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "cupti_stand_in.hpp"

namespace cubind::testing {

namespace stand_in = cupti_stand_in;
using profile::Nanoseconds;

/// Returns a record of CUPTI of this kind, with zeros.
template <class Record>
Record record_of(cupti::CUpti_ActivityKind kind) {
    Record record{};
    record.kind = kind;
    return record;
}

/// Makes records as CUPTI does. Times are nanoseconds of the clock of the stand-in.
inline cupti::CUpti_ActivityKernel9 kernel_record(const char* symbol, std::uint64_t start, std::uint64_t end,
                                                  std::uint32_t correlation = 0, std::uint32_t stream = 7) {
    auto record = record_of<cupti::CUpti_ActivityKernel9>(cupti::CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
    record.name = symbol;
    record.start = start;
    record.end = end;
    record.correlationId = correlation;
    record.streamId = stream;
    record.contextId = 1;
    return record;
}

inline cupti::CUpti_ActivityAPI call_record(cupti::CUpti_ActivityKind kind, cupti::CUpti_CallbackId function, std::uint64_t start,
                                            std::uint64_t end, std::uint32_t correlation, std::uint32_t thread = 11) {
    auto record = record_of<cupti::CUpti_ActivityAPI>(kind);
    record.cbid = function;
    record.start = start;
    record.end = end;
    record.correlationId = correlation;
    record.threadId = thread;
    return record;
}

inline cupti::CUpti_ActivityMarker2 marker_record(cupti::CUpti_ActivityFlag flags, std::uint32_t id, std::uint64_t time,
                                                  const char* name, std::uint32_t thread = 11) {
    auto record = record_of<cupti::CUpti_ActivityMarker2>(cupti::CUPTI_ACTIVITY_KIND_MARKER);
    record.flags = flags;
    record.id = id;
    record.timestamp = time;
    record.name = name;
    record.objectKind = thread != 0 ? cupti::CUPTI_ACTIVITY_OBJECT_THREAD : cupti::CUPTI_ACTIVITY_OBJECT_PROCESS;
    record.objectId.pt.threadId = thread;
    return record;
}

/// Tests with the stand-in for CUPTI.
class RecorderTest : public ::testing::Test {
protected:
    RecorderTest() {
        ::setenv("CUBIND_CUPTI_LIBRARY", CUPTI_STAND_IN, 1);
        ::unsetenv("NVTX_INJECTION64_PATH");
        stand_in::reset();
    }

    /// Returns whether CUPTI makes no records, so that no recorder is left.
    static bool is_off() {
        for (unsigned kind = 1; kind < cupti::CUPTI_ACTIVITY_KIND_COUNT; ++kind) {
            if (stand_in::is_enabled(static_cast<cupti::CUpti_ActivityKind>(kind))) return false;
        }
        return true;
    }
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
