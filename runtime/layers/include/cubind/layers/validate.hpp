// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <functional>
#include <string>

/// @file
/// A layer that checks the arguments of every call against the spec before the call is made:
///
///     layers::validate::start({.action = layers::validate::Action::fail});
///
/// It finds
/// - null pointers that must not be null,
/// - negative counts, and counts of more memory than a process can address,
/// - values that are not enumerators, also in fields of records, where zero is always valid,
/// - handles that no call returned or that have been destroyed,
/// - objects of different contexts in calls that require a common one,
/// - arguments of cubind::launch that do not match the kernel.
///
/// The vendor's functions still make their own checks. Any thread may call these functions.
namespace CUBIND_NAMESPACE::layers::validate {

/// Handling of a call with a mistake.
enum class Action {
    warn,  ///< makes the call
    fail,  ///< does not make the call; it returns the library's status for an invalid argument
};

/// One mistake in a call.
struct Finding {
    std::string library;    ///< name of the library
    std::string function;   ///< symbol
    std::string parameter;  ///< name of the parameter
    std::string message;    ///< function, parameter, value, and the expected values
};

/// Function that receives findings. It must not throw, because it runs within a call of a wrapper, which is noexcept.
using Report = std::function<void(const Finding&)>;

/// Options of the layer.
struct Options {
    /// Handling of calls with a mistake.
    Action action = Action::warn;
    /// Function that receives each finding, on the thread that makes the call. If empty, a line is written to the standard error
    /// stream. Calls that the function makes itself bypass all layers.
    Report report = nullptr;
    /// Whether handles that no call returned are findings. Set it to false if handles have other sources: code that does not call
    /// through cubind, or calls before start().
    bool unknown_handles = true;
};

/// Starts the layer, or replaces the options of the running layer, and sets the number of findings to zero.
CUBIND_EXPORT void start(const Options& options = {});

/// Stops the layer.
CUBIND_EXPORT void stop();

/// Returns the number of findings since start().
CUBIND_EXPORT unsigned long findings();

}  // namespace CUBIND_NAMESPACE::layers::validate
