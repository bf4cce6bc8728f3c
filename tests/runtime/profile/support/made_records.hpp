// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/profile/records.hpp>

#include <cstdint>

namespace cubind::testing {

/// Returns the time of this number of nanoseconds.
inline profile::TimePoint at(int nanoseconds) {
    return profile::TimePoint(profile::Nanoseconds(nanoseconds));
}

/// Returns a record with these times.
template <class Record>
Record timed(int start, int end, std::uint32_t correlation = 0, std::uint32_t process = 4711) {
    Record record;
    record.start = at(start);
    record.end = at(end);
    record.correlation_id = correlation;
    record.process = process;
    return record;
}

}  // namespace cubind::testing
