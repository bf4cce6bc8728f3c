// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace cubind {

/// The return type of wrappers: the status, then the outputs of the call in the order of the C parameters.
///
///     auto [status, memory] = driver::cuMemAlloc(64);
///
/// A plain aggregate, so that small results are returned in registers and structured bindings need no library header. A single output
/// is the member `value`; several outputs are `value1`, `value2`, ..., and get<N> of <cubind/tuple.hpp> takes the same number. Outputs
/// are zero before the call and retain what the vendor's function wrote, also when it failed.
template <class Status, class... Values>
struct Result;

template <class Status>
struct [[nodiscard]] Result<Status> {
    Status status;
    constexpr bool ok() const noexcept { return status == Status{}; }
};

template <class Status, class Value>
struct [[nodiscard]] Result<Status, Value> {
    Status status;
    Value value;
    constexpr bool ok() const noexcept { return status == Status{}; }
};

template <class Status, class V1, class V2>
struct [[nodiscard]] Result<Status, V1, V2> {
    Status status;
    V1 value1;
    V2 value2;
    constexpr bool ok() const noexcept { return status == Status{}; }
};

template <class Status, class V1, class V2, class V3>
struct [[nodiscard]] Result<Status, V1, V2, V3> {
    Status status;
    V1 value1;
    V2 value2;
    V3 value3;
    constexpr bool ok() const noexcept { return status == Status{}; }
};

template <class Status, class V1, class V2, class V3, class V4>
struct [[nodiscard]] Result<Status, V1, V2, V3, V4> {
    Status status;
    V1 value1;
    V2 value2;
    V3 value3;
    V4 value4;
    constexpr bool ok() const noexcept { return status == Status{}; }
};

template <class Status, class V1, class V2, class V3, class V4, class V5>
struct [[nodiscard]] Result<Status, V1, V2, V3, V4, V5> {
    Status status;
    V1 value1;
    V2 value2;
    V3 value3;
    V4 value4;
    V5 value5;
    constexpr bool ok() const noexcept { return status == Status{}; }
};

template <class Status, class V1, class V2, class V3, class V4, class V5, class V6>
struct [[nodiscard]] Result<Status, V1, V2, V3, V4, V5, V6> {
    Status status;
    V1 value1;
    V2 value2;
    V3 value3;
    V4 value4;
    V5 value5;
    V6 value6;
    constexpr bool ok() const noexcept { return status == Status{}; }
};

}  // namespace cubind
