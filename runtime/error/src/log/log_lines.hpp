// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <string>
#include <string_view>

#include "platform/thread_numbers.hpp"

namespace CUBIND_NAMESPACE::detail {

/// Returns the lines of a driver's log that a thread wrote in its latest failed call of `function` with the status `code`,
/// without a newline at the end. An empty function stands for that of the thread's latest failed call. Returns "" if there are
/// none.
///
/// A line begins with [time][thread], further brackets, and a blank; the thread is a decimal. A line without them, such as the
/// notice that older lines were overwritten, belongs to no thread at the beginning and continues a message elsewhere. A driver
/// ends the lines of a call with "Returning CODE (NAME) from SYMBOL"; versions of a symbol count as the same function. Some
/// drivers name the function in the fifth bracket instead. If the log has neither, all lines of the thread are returned.
std::string lines_of_call(std::string_view log, ThreadNumbers thread, int code, std::string_view function);

}  // namespace CUBIND_NAMESPACE::detail
