// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "commands/gather.hpp"
#include "emit/templates.hpp"

namespace cubind::gen::commands {

/// Prints how the gathered release stands to those that the specs had, which libraries it lacks, what a new major asks to check, what
/// changed since the release before it, and which public names will mean another function.
void print_changes(const Gathering& gathering, const emit::Templates& templates);

}  // namespace cubind::gen::commands
