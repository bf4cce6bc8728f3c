// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

#include <cubind/toy/functions.hpp>

#include <cubind/call.hpp>

#include "entry_points.hpp"

namespace CUBIND_NAMESPACE::toy {

Result<toyStatus> toyClose(int number) noexcept {
    Result<toyStatus> result_{};
    result_.status = call<toyStatus(int)>(entry_points::toyClose, number);
    return result_;
}

int toyCount() noexcept {
    if (address_of(entry_points::toyCount) == nullptr) return static_cast<int>(-1);
    return call_plain<int()>(entry_points::toyCount);
}

Result<toyStatus, int> toyOpen() noexcept {
    detail::Out<int> out_;
    const toyStatus status_ = call<toyStatus(int*)>(entry_points::toyOpen, &out_.value);
    return {status_, out_.value};
}

Rows rows::functions() noexcept {
    static const Row table[] = {
        row(toy::toyClose, entry_points::toyClose),
        row(toy::toyCount, entry_points::toyCount),
        row(toy::toyOpen, entry_points::toyOpen),
    };
    return {table, table + sizeof table / sizeof table[0]};
}

}  // namespace CUBIND_NAMESPACE::toy
