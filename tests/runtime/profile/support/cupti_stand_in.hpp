// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/cupti/types.hpp>

#include <cstddef>

#include "shared/simulated_activity.hpp"

/// What tests tell the stand-in for CUPTI, a shared library. A test program links it, and sets CUBIND_CUPTI_LIBRARY to its file,
/// so that cubind uses the same copy. Other programs set options with CUBIND_STAND_IN_CUPTI, such as "drop=3,thread=1".
///
/// The stand-in keeps one buffer, which it asks for when the first record comes. It delivers it when it is full, and when records
/// are flushed. Thread-safe.
namespace cubind::testing::cupti_stand_in {

struct Options {
    unsigned fail = 0;                ///< fail=N: the N-th call of a function of CUPTI fails, counted from reset(); 0: none does
    unsigned fail_from = 0;           ///< fail_from=N: as `fail`, and all later calls
    int status = 999;                 ///< status=N: the result of failed calls
    unsigned drop = 0;                ///< drop=N: the next N records are dropped
    bool delivers_on_thread = false;  ///< thread=1: buffers are delivered on threads of CUPTI
    bool lacks_privileges = false;    ///< privileges=0: counters of hardware are refused
    bool has_counters = false;        ///< there are counters of hardware; a range needs three passes
    unsigned max_records = 0;         ///< records=N: a buffer is full after N records; 0: when the next does not fit
    unsigned version = 130000;        ///< version=N: what cuptiGetVersion() writes
};

/// Forgets all records, subscribers, callbacks and calls, and sets the options to those of the environment.
void reset();
/// The options; they may be changed between calls.
Options& options();

/// Adds a record, whose first member is its kind; what it points to must remain. Returns false if its kind is not enabled, so
/// that CUPTI would not make it. The record becomes as large as those of CUDA 13.5, or `size` if that is larger: the members
/// beyond `size` are 0.
bool add(const void* record, std::size_t size);
template <class Record>
bool add(const Record& record) {
    return add(&record, sizeof record);
}
/// Returns how many bytes are free in the buffer, for which it asks if there is none; 0 if there is none.
std::size_t room();
/// Returns a copy of a text that remains until the process ends.
const char* keep(const char* text);

/// Calls the subscribers of a function, before and after it. `cbid` is the number of the function.
void call(cupti::CUpti_CallbackDomain domain, cupti::CUpti_CallbackId cbid, const void* parameters, unsigned correlation,
          int result = 0);

/// Returns how often a function of CUPTI was called since reset(), or all functions together if `function` is null.
unsigned calls(const char* function = nullptr);
/// Whether records of a kind are made.
bool is_enabled(cupti::CUpti_ActivityKind kind);
/// Makes records of the calls and the work of a simulated driver within the test program: observe(&sim::cubindSimulatedObserver).
/// The stand-in observes a libcuda.so.1 that was loaded before it by itself. Returns whether the driver can be observed.
bool observe(sim::SimulatedObserverSetter* set);

/// Returns the number of subscribers.
unsigned subscribers();

}  // namespace cubind::testing::cupti_stand_in
