// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>
#include <cubind/status.hpp>

namespace CUBIND_NAMESPACE {

/// Return value of a wrapper: the status, then the values that the call wrote, in the order of the C parameters.
///
///     auto [status, memory] = driver::cuMemAlloc(64);
///
/// It is an aggregate, so that small results are returned in registers and structured bindings need no header of the standard
/// library. A single value is called `value`, several values are called `value1`, `value2`, and so on; the number is the index
/// for get<N>() of <cubind/tuple.hpp>. Values are zero before the call. Afterwards they hold what the vendor's function wrote,
/// even if the call failed.
template <class Status, class... Values>
struct Result;

/// A result without a value.
template <class Status>
struct [[nodiscard]] Result<Status> {
    Status status;  ///< status of the call
    /// Returns whether the call succeeded.
    constexpr bool ok() const noexcept { return StatusTraits<Status>::is_success(status); }
};

/// A result with one value.
template <class Status, class Value>
struct [[nodiscard]] Result<Status, Value> {
    Status status;  ///< status of the call
    Value value;    ///< value that the call wrote
    /// Returns whether the call succeeded.
    constexpr bool ok() const noexcept { return StatusTraits<Status>::is_success(status); }
};

/// A result with two values.
template <class Status, class V1, class V2>
struct [[nodiscard]] Result<Status, V1, V2> {
    Status status;  ///< status of the call
    V1 value1;      ///< first value that the call wrote
    V2 value2;      ///< second value that the call wrote
    /// Returns whether the call succeeded.
    constexpr bool ok() const noexcept { return StatusTraits<Status>::is_success(status); }
};

/// A result with three values.
template <class Status, class V1, class V2, class V3>
struct [[nodiscard]] Result<Status, V1, V2, V3> {
    Status status;  ///< status of the call
    V1 value1;      ///< first value that the call wrote
    V2 value2;      ///< second value that the call wrote
    V3 value3;      ///< third value that the call wrote
    /// Returns whether the call succeeded.
    constexpr bool ok() const noexcept { return StatusTraits<Status>::is_success(status); }
};

/// A result with four values.
template <class Status, class V1, class V2, class V3, class V4>
struct [[nodiscard]] Result<Status, V1, V2, V3, V4> {
    Status status;  ///< status of the call
    V1 value1;      ///< first value that the call wrote
    V2 value2;      ///< second value that the call wrote
    V3 value3;      ///< third value that the call wrote
    V4 value4;      ///< fourth value that the call wrote
    /// Returns whether the call succeeded.
    constexpr bool ok() const noexcept { return StatusTraits<Status>::is_success(status); }
};

/// A result with five values.
template <class Status, class V1, class V2, class V3, class V4, class V5>
struct [[nodiscard]] Result<Status, V1, V2, V3, V4, V5> {
    Status status;  ///< status of the call
    V1 value1;      ///< first value that the call wrote
    V2 value2;      ///< second value that the call wrote
    V3 value3;      ///< third value that the call wrote
    V4 value4;      ///< fourth value that the call wrote
    V5 value5;      ///< fifth value that the call wrote
    /// Returns whether the call succeeded.
    constexpr bool ok() const noexcept { return StatusTraits<Status>::is_success(status); }
};

/// A result with six values.
template <class Status, class V1, class V2, class V3, class V4, class V5, class V6>
struct [[nodiscard]] Result<Status, V1, V2, V3, V4, V5, V6> {
    Status status;  ///< status of the call
    V1 value1;      ///< first value that the call wrote
    V2 value2;      ///< second value that the call wrote
    V3 value3;      ///< third value that the call wrote
    V4 value4;      ///< fourth value that the call wrote
    V5 value5;      ///< fifth value that the call wrote
    V6 value6;      ///< sixth value that the call wrote
    /// Returns whether the call succeeded.
    constexpr bool ok() const noexcept { return StatusTraits<Status>::is_success(status); }
};

}  // namespace CUBIND_NAMESPACE
