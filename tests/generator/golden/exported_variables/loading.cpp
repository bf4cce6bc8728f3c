// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

#include <cubind/toy/loading.hpp>

#include "entry_points.hpp"

namespace CUBIND_NAMESPACE::toy {
namespace {

constexpr EntryPoint* in_order_of_symbol[] = {
    &entry_points::toyCompute,
};

}  // namespace

EntryPoints all_entry_points() noexcept {
    return {in_order_of_symbol, in_order_of_symbol + sizeof in_order_of_symbol / sizeof *in_order_of_symbol};
}

EntryPoint* entry_point_of(void (*wrapper)()) noexcept {
    constexpr Rows (*groups[])() noexcept = {
        rows::functions,
        rows::variables,
    };
    for (const auto group : groups) {
        const Rows rows = group();
        for (const Row* row = rows.begin; row != rows.end; ++row) {
            if (row->wrapper == wrapper) return row->entry;
        }
    }
    return nullptr;
}

}  // namespace CUBIND_NAMESPACE::toy
