// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ptx/forms/form.hpp"

namespace CUBIND_NAMESPACE::sim::ptx {

/// Returns the forms of all families, with the handlers for the instruction set of this processor.
std::span<const Forms> families();

/// Returns the table of these forms.
const FormTable& form_table();

}  // namespace CUBIND_NAMESPACE::sim::ptx
