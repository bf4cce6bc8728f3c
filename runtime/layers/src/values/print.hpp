// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "values/capture.hpp"
#include "values/printer.hpp"

namespace cubind::layers {

/// A value of the type, from its bytes.
void print(const Type& type, const std::byte* data, Printer& printer);

/// Which fields of a captured call are wanted.
enum class Part { arguments, results };

/// The arguments of a captured call as fields of a record, or what it wrote. Of a call that failed, only results that are not zero.
void print_fields(const reflection::LibraryDescription& library, const reflection::Function& function, const std::byte* capture,
                  Part part, Printer& printer);

/// What the captured call returned.
void print_returned(const reflection::Function& function, const std::byte* capture, Printer& printer);

/// The status that the captured call returned; 0 of a function that returns none.
int status_of(const reflection::LibraryDescription& library, const reflection::Function& function, const std::byte* capture);

/// The arguments of a captured call, without what it wrote, as `NAME(ARGUMENT=VALUE, ...)`.
std::string signature_text(const reflection::LibraryDescription& library, const reflection::Function& function,
                           const std::byte* capture);

}  // namespace cubind::layers
