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
void visit_fields([[maybe_unused]] const toyLine_st& record, [[maybe_unused]] Visitor& visit) {
    visit("bytes", record.bytes);
}

template <class Visitor>
void visit_fields([[maybe_unused]] const toyLines_st& record, [[maybe_unused]] Visitor& visit) {
    visit("first", record.first);
    visit("end", record.end);
}

template <class Visitor>
void visit_fields([[maybe_unused]] const toyWord_un& record, [[maybe_unused]] Visitor& visit) {
    visit.alternative("whole", record.whole);
    visit.alternative("halves", record.halves);
}

template <class Visitor>
void visit_fields([[maybe_unused]] const toyPlain& record, [[maybe_unused]] Visitor& visit) {
    visit("word", record.word);
}

template <class Visitor>
void visit_fields([[maybe_unused]] const toyPoint_st& record, [[maybe_unused]] Visitor& visit) {
    visit("x", record.x);
    visit("y", record.y);
}

template <class Visitor>
void visit_fields([[maybe_unused]] const toyRequest_st& record, [[maybe_unused]] Visitor& visit) {
    visit("size", record.size);
    visit("time", record.time);
}

template <class Visitor>
void visit_fields([[maybe_unused]] const toyShape_st& record, [[maybe_unused]] Visitor& visit) {
    visit("name", record.name);
    visit("matrix", record.matrix);
    visit("corners", record.corners);
    visit("size", record.size, []([[maybe_unused]] const auto& record, [[maybe_unused]] auto& visit) {
        visit("width", record.width);
        visit("range", record.range, []([[maybe_unused]] const auto& record, [[maybe_unused]] auto& visit) {
            visit("low", record.low);
            visit("high", record.high);
        });
    });
    visit.alternative("number", record.number);
    visit.alternative("point", record.point);
    visit("memory", record.memory);
    visit("bytes", record.bytes);
    visit("cells", record.cells, []([[maybe_unused]] const auto& record, [[maybe_unused]] auto& visit) {
        visit("tag", record.tag);
        visit("value", record.value);
    });
    visit("next", record.next);
}

}  // namespace CUBIND_NAMESPACE::toy

template <>
struct std::formatter<cubind::toy::toyStatus> : cubind::detail::EnumFormatter<cubind::toy::toyStatus> {};
template <>
struct std::formatter<cubind::toy::toyLine_st> : cubind::detail::RecordFormatter<cubind::toy::toyLine_st> {};
template <>
struct std::formatter<cubind::toy::toyLines_st> : cubind::detail::RecordFormatter<cubind::toy::toyLines_st> {};
template <>
struct std::formatter<cubind::toy::toyWord_un> : cubind::detail::RecordFormatter<cubind::toy::toyWord_un> {};
template <>
struct std::formatter<cubind::toy::toyPlain> : cubind::detail::RecordFormatter<cubind::toy::toyPlain> {};
template <>
struct std::formatter<cubind::toy::toyPoint_st> : cubind::detail::RecordFormatter<cubind::toy::toyPoint_st> {};
template <>
struct std::formatter<cubind::toy::toyRequest_st> : cubind::detail::RecordFormatter<cubind::toy::toyRequest_st> {};
template <>
struct std::formatter<cubind::toy::toyShape_st> : cubind::detail::RecordFormatter<cubind::toy::toyShape_st> {};

#endif
