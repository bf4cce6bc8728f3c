// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Asks the driver that the operating system's loader finds about settings of core dumps. Prints one line "NAME: ANSWER" per
// question in a fixed order. Causes no fault, so that no core dump is written.
#include "coredump/values.hpp"
#include "runner.hpp"

int main() {
    using namespace answers;
    run_group("machine", ask_about_machine);
    run_group("global", ask_about_global_settings);
    run_group("global mistake", ask_about_global_mistakes);
    run_group("trigger", ask_about_triggers);
    run_group("context", ask_about_settings_of_contexts);
    run_group("flags of a context", ask_about_flags_of_contexts);
    run_group("mistake in a context", ask_about_mistakes_in_contexts);
    run_group("callback", ask_about_callbacks);
}
