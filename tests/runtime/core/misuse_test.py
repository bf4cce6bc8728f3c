# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Mistakes with streams, events, contexts, graphs, devices and errors do not compile, and their correct counterparts do.

usage: misuse_test.py COMPILER INCLUDE_DIR...
"""
from compiled_statements import StatementTest, main

DELETED = r"deleted"
DISCARDED = r"nodiscard|result unused"


class MisuseTest(StatementTest):
    PREAMBLE = """
#include <cubind/check.hpp>
#include <cubind/core/lifetime/cleanup.hpp>
#include <cubind/core/device/device_properties.hpp>
#include <cubind/core/stream/event.hpp>
#include <cubind/core/graph/graph_builder.hpp>
#include <cubind/driver/stream.hpp>
#include <cubind/nvrtc/strings.hpp>
#include <unordered_map>
#include <unordered_set>
using namespace cubind;
void enqueue(StreamRef stream);
void destroy(EventRef event);
extern Device device;
extern Stream stream, other_stream;
extern Event event, other_event;
extern Context context;
extern Graph graph;
extern GraphBuilder builder;
extern driver::CUstream native_stream;
extern driver::CUevent native_event;
extern driver::CUcontext native_context;
extern const Error& error;
"""

    def test_views_reject_null_pointers_and_integers(self):
        statements = {f"{view} view{argument};": DELETED
                      for view in ("StreamRef", "EventRef", "ContextRef", "GraphRef")
                      for argument in ("(nullptr)", "(NULL)", "(0)", "(1)", "(2u)", "(1ull)", "(false)", " = nullptr", "{nullptr}")}
        statements |= {"enqueue(nullptr);": DELETED, "enqueue(0);": DELETED, "destroy(nullptr);": DELETED,
                       "stream.wait(EventRef(nullptr));": DELETED, "(void)(stream == nullptr);": DELETED,
                       "(void)(event == nullptr);": DELETED, "(void)(context == nullptr);": DELETED}
        self.assert_rejected(statements)

    def test_views_accept_handles_and_owners(self):
        self.assert_compiles(
            "enqueue(native_stream);", "enqueue(stream);", "enqueue(builder);", "enqueue(StreamRef::legacy_default());",
            "StreamRef view(native_stream); enqueue(view);", "StreamRef view = native_stream; enqueue(view);",
            "destroy(native_event);", "destroy(event);", "ContextRef none; (void)none;", "ContextRef view = native_context; (void)view;",
            "(void)(stream == other_stream);", "(void)(stream == native_stream);", "(void)(event != other_event);",
            "driver::CUstream null = nullptr; enqueue(null);")

    def test_results_must_be_used(self):
        discarded = ["Stream{device};", "Event{device};", "Context{device};", "ScopedContext{context};", "Stream{context};",
                     "stream.record();", "stream.is_done();", "event.is_done();", "stream.native_handle();", "stream.release();", "stream.is_closed();",
                     "stream.priority();", "stream.context();", "event - other_event;", "stream == other_stream;",
                     "device.create_stream();", "device.name();", "device.context();", "device.properties();", "Device::all();",
                     "ContextRef::current();", "context.limit(driver::CU_LIMIT_STACK_SIZE);", "builder.complete();",
                     "builder.split(2);", "builder.is_building();", "error.code();", "error.function();",
                     "std::hash<Stream>()(stream);", "Stream::from_native_handle(native_stream);"]
        self.assert_rejected({statement: DISCARDED for statement in discarded})

    def test_effects_may_be_discarded(self):
        self.assert_compiles("device.set_current();", "context.set_current();", "builder.begin_building();", "builder.end_building();",
                             "builder.join(builder.split(2));", "stream.close();", "set_cleanup_handler(nullptr);",
                             "stream.record(event);", "event.synchronize();")

    def test_error_codes_reject_integers_and_other_enums(self):
        self.assert_rejected({statement: r"no match for|invalid operands" for statement in (
            "(void)(error.code() == 2);", "(void)(2 == error.code());", "(void)(error.code() != 700u);",
            "(void)(error.code() == driver::CU_LIMIT_STACK_SIZE);")})

    def test_error_codes_compare_with_statuses(self):
        self.assert_compiles(
            "(void)(error.code() == driver::CUDA_ERROR_OUT_OF_MEMORY);", "(void)(driver::CUDA_ERROR_OUT_OF_MEMORY != error.code());",
            "(void)(error.code() == nvrtc::NVRTC_ERROR_COMPILATION);", "(void)(error.code() == error.code());",
            "(void)(error.code().value() == 2);")

    def test_owners_are_moved_and_not_copied(self):
        self.assert_rejected({f"{each} copy({each.lower()});": DELETED for each in ("Stream", "Event", "Context", "Graph")})
        self.assert_compiles(*(f"{each} empty; empty = std::move({each.lower()});" for each in ("Stream", "Event", "Context", "Graph")))

    def test_handles_are_keys(self):
        self.assert_compiles(
            *(f"std::unordered_set<{each}> set; (void)set;" for each in ("StreamRef", "EventRef", "ContextRef", "GraphRef", "Device")),
            *(f"std::unordered_map<{each}, int> map; (void)map;" for each in ("Stream", "Event", "Context", "Graph")))


if __name__ == "__main__":
    main()
