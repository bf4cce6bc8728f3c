// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

#include <cubind/toy/functions.hpp>

#include <cubind/call.hpp>

#include "entry_points.hpp"

namespace CUBIND_NAMESPACE::toy {

Result<toyStatus> toyClose_v2(toyBox box) noexcept {
    Result<toyStatus> result_{};
    result_.status = call<toyStatus(toyBox)>(entry_points::toyClose_v2, box);
    return result_;
}

Result<toyStatus, toyBox> toyOpen_v1() noexcept {
    detail::Out<toyBox> out_;
    const toyStatus status_ = call<toyStatus(toyBox*)>(entry_points::toyOpen_v1, &out_.value);
    return {status_, out_.value};
}

Result<toyStatus, toyBox> toyOpen_v2(unsigned int flags) noexcept {
    detail::Out<toyBox> out_;
    const toyStatus status_ = call<toyStatus(toyBox*, unsigned int)>(entry_points::toyOpen_v2, &out_.value, flags);
    return {status_, out_.value};
}

Result<toyStatus, toyBox> toyOpen_v4(unsigned int flags, int place) noexcept {
    detail::Out<toyBox> out_;
    const toyStatus status_ = call<toyStatus(toyBox*, unsigned int, int)>(entry_points::toyOpen_v4, &out_.value, flags, place);
    return {status_, out_.value};
}

Result<toyStatus> toyShake(toyBox box) noexcept {
    Result<toyStatus> result_{};
    result_.status = call<toyStatus(toyBox)>(entry_points::toyShake, box);
    return result_;
}

Rows rows::functions() noexcept {
    static const Row table[] = {
        row(toy::toyClose_v2, entry_points::toyClose_v2),
        row(toy::toyOpen_v1, entry_points::toyOpen_v1),
        row(toy::toyOpen_v2, entry_points::toyOpen_v2),
        row(toy::toyOpen_v4, entry_points::toyOpen_v4),
        row(toy::toyShake, entry_points::toyShake),
    };
    return {table, table + sizeof table / sizeof table[0]};
}

}  // namespace CUBIND_NAMESPACE::toy
