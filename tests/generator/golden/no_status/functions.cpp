// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

#include <cubind/toy/functions.hpp>

#include <cubind/call.hpp>

#include "entry_points.hpp"

namespace CUBIND_NAMESPACE::toy {

size_t toyCount() noexcept {
    return call_plain<size_t()>(entry_points::toyCount);
}

int toyMeasure(toyBox box, double* grams) noexcept {
    if (address_of(entry_points::toyMeasure) == nullptr) return static_cast<int>(-1);
    return call_plain<int(toyBox, double*)>(entry_points::toyMeasure, box, grams);
}

void toyReset() noexcept {
    return call_plain<void()>(entry_points::toyReset);
}

Result<toyStatus> toyStart() noexcept {
    Result<toyStatus> result_{};
    result_.status = call<toyStatus()>(entry_points::toyStart);
    return result_;
}

const char* toyText(toyStatus status) noexcept {
    return call_plain<const char*(toyStatus)>(entry_points::toyText, status);
}

Rows rows::functions() noexcept {
    static const Row table[] = {
        row(toy::toyCount, entry_points::toyCount),
        row(toy::toyMeasure, entry_points::toyMeasure),
        row(toy::toyReset, entry_points::toyReset),
        row(toy::toyStart, entry_points::toyStart),
        row(toy::toyText, entry_points::toyText),
    };
    return {table, table + sizeof table / sizeof table[0]};
}

}  // namespace CUBIND_NAMESPACE::toy
