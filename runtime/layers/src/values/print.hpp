// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "values/capture.hpp"
#include "values/printer.hpp"

namespace CUBIND_NAMESPACE::layers {

/// Prints a value of the type from its bytes.
void print(const Type& type, const std::byte* data, Printer& printer);

/// Part of a captured call to print.
enum class Part { arguments, results };

/// Prints the arguments of a captured call, or its results, as fields of a record. For a failed call, prints only results
/// that are not zero.
void print_fields(const reflection::LibraryDescription& library, const reflection::Function& function, const std::byte* capture,
                  Part part, Printer& printer);

/// Prints the return value of a captured call.
void print_returned(const reflection::Function& function, const std::byte* capture, Printer& printer);

/// Returns the status of a captured call; 0 if the function returns no status.
int status_of(const reflection::LibraryDescription& library, const reflection::Function& function, const std::byte* capture);

/// Returns a captured call as `NAME(ARGUMENT=VALUE, ...)`, without its results.
std::string signature_text(const reflection::LibraryDescription& library, const reflection::Function& function,
                           const std::byte* capture);

}  // namespace CUBIND_NAMESPACE::layers
