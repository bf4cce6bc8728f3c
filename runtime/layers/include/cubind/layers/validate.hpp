// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

/// A layer that looks at the arguments of every call before it is made, going by the spec:
///
///     layers::validate::start({.action = layers::validate::Action::fail});
///
/// It finds null pointers that may not be null, counts that are negative or that a pointer cannot have, enumerators that do not
/// exist (in fields of records too, where zero always passes), handles that no call gave or that have been destroyed, and objects of
/// different contexts in calls that need one, and arguments of cubind::launch that are not the kernel's. The calls are otherwise those
/// of the vendor: what they check themselves, they still do.
/// Any thread may call these functions.
namespace cubind::layers::validate {

enum class Action {
    warn,  ///< the call is made all the same
    fail,  ///< it is not, and returns the library's status for an invalid argument
};

/// One mistake in a call.
struct Finding {
    std::string library;
    std::string function;   ///< symbol
    std::string parameter;  ///< name
    std::string message;    ///< call, parameter, value, and what is expected
};

using Report = std::function<void(const Finding&)>;

struct Options {
    Action action = Action::warn;
    /// Gets each finding, in the thread that makes the call; empty: a line on the standard error stream. Its own calls pass unseen.
    Report report = nullptr;
    /// Whether handles that no call gave are findings. They are none where handles come from elsewhere: from code that does not call
    /// through cubind, or from before the start.
    bool unknown_handles = true;
};

/// Begins to look, in place of what the options were before.
void start(const Options& options = {});

void stop();

/// Findings since the start.
unsigned long findings();

}  // namespace cubind::layers::validate
