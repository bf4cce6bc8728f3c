// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace answers {

/// Asks for the version of the driver and the compute capability of the device, which compare.py gives to the simulation.
void ask_about_machine();

}  // namespace answers
