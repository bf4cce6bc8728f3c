// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// toy library, CUDA 13.4: std::format() for all enums, records and results.
///
/// Enumerators are written by name, records and results with their fields. A standard library without <format> gets nothing.

#include <cubind/detail/format.hpp>
#include <cubind/toy/strings.hpp>

#ifdef __cpp_lib_format

namespace CUBIND_NAMESPACE::toy {

template <class Visitor>
void visit_fields([[maybe_unused]] const toyTable_st& record, [[maybe_unused]] Visitor& visit) {
    visit("cells", record.cells, []([[maybe_unused]] const auto& record, [[maybe_unused]] auto& visit) {
        visit("tag", record.tag);
        visit("value", record.value);
    });
    visit("ranges", record.ranges, []([[maybe_unused]] const auto& record, [[maybe_unused]] auto& visit) {
        visit("low", record.low);
        visit("high", record.high);
    });
}

}  // namespace CUBIND_NAMESPACE::toy

template <>
struct std::formatter<cubind::toy::toyStatus> : cubind::detail::EnumFormatter<cubind::toy::toyStatus> {};
template <>
struct std::formatter<cubind::toy::toyTable_st> : cubind::detail::RecordFormatter<cubind::toy::toyTable_st> {};

#endif
