// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

#include <cubind/toy/functions.hpp>

#include <cubind/call.hpp>

#include "entry_points.hpp"

namespace CUBIND_NAMESPACE::toy {

Result<toyError_t> toyClose(int number) noexcept {
    Result<toyError_t> result_{};
    result_.status = call<toyError_t(int)>(entry_points::toyClose, number);
    return result_;
}

Result<toyError_t, int, int> toyCopy(int number) noexcept {
    Result<toyError_t, int, int> result_{};
    result_.status = call<toyError_t(int, int*, int*)>(entry_points::toyCopy, number, &result_.value1, &result_.value2);
    return result_;
}

int toyCount() noexcept {
    if (address_of(entry_points::toyCount) == nullptr) return static_cast<int>(0);
    return call_plain<int()>(entry_points::toyCount);
}

Result<toyError_t, int> toyOpen() noexcept {
    detail::Out<int> out_;
    const toyError_t status_ = call<toyError_t(int*)>(entry_points::toyOpen, &out_.value);
    return {status_, out_.value};
}

ssize_t toyRead(int number) noexcept {
    if (address_of(entry_points::toyRead) == nullptr) return static_cast<ssize_t>(-1);
    return call_plain<ssize_t(int)>(entry_points::toyRead, number);
}

toyShape toyShapeOf(int number) noexcept {
    if (address_of(entry_points::toyShapeOf) == nullptr) return static_cast<toyShape>(static_cast<unsigned int>(-1));
    return call_plain<toyShape(int)>(entry_points::toyShapeOf, number);
}

unsigned int toyVersion() noexcept {
    return call_plain<unsigned int()>(entry_points::toyVersion);
}

Rows rows::functions() noexcept {
    static const Row table[] = {
        row(toy::toyClose, entry_points::toyClose),
        row(toy::toyCopy, entry_points::toyCopy),
        row(toy::toyCount, entry_points::toyCount),
        row(toy::toyOpen, entry_points::toyOpen),
        row(toy::toyRead, entry_points::toyRead),
        row(toy::toyShapeOf, entry_points::toyShapeOf),
        row(toy::toyVersion, entry_points::toyVersion),
    };
    return {table, table + sizeof table / sizeof table[0]};
}

}  // namespace CUBIND_NAMESPACE::toy
