// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Signals that end the program. The thread that dies does nothing but wait, for a limited time, until another thread has written
/// the records: a handler must not allocate or lock.
namespace cubind::prof {

/// Makes the signals that end a program, and that the program does not handle, wake the writing thread first. The calling thread
/// is that of the program.
void install_dying_signals() noexcept;

/// Waits for up to `milliseconds` or until a signal or wake_writer() wakes it. Only the writing thread calls it. Returns whether
/// a signal ends the program, so that records_are_written() must be called.
bool wait_for_signal(unsigned milliseconds) noexcept;
/// Wakes the writing thread.
void wake_writer() noexcept;
/// Lets the program end.
void records_are_written() noexcept;

}  // namespace cubind::prof
