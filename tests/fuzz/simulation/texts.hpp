// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include "choices.hpp"

/// Random texts for the arguments of calls.
namespace cubind::fuzz {

/// Returns the name of a symbol, a kernel, a variable or a bus, or arbitrary text.
std::string random_text(Choices& choices);
/// Returns the path of a file that can be neither read nor modified.
std::string random_path(Choices& choices);
/// Returns a module as text, sometimes with a changed byte, or text that is not a module.
std::string random_image(Choices& choices);

}  // namespace cubind::fuzz
