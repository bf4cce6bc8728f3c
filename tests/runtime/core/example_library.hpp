// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The part of a generated library that check() uses: a status enum and its texts.
namespace cubind::testing {

enum Status : unsigned int { done = 0, failed = 5 };

constexpr const char* library_name(Status) noexcept {
    return "example";
}
inline const char* to_string(Status status) noexcept {
    return status == done ? "done" : "failed";
}
inline const char* describe(Status status) noexcept {
    return status == done ? "The call succeeds." : "The example fails.";
}

}  // namespace cubind::testing
