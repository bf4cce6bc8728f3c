// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Asks the driver that the operating system's loader finds about its log (cuLogs*). Prints one line "NAME: ANSWER" per question
// in a fixed order. A kernel faults in the last group, which is alone in its process.
#include "logs/questions.hpp"
#include "machine.hpp"
#include "runner.hpp"

int main() {
    using namespace answers;
    run_group("machine", ask_about_machine);
    run_group("position", ask_about_positions);
    run_group("limit", ask_about_limits);
    run_group("callback", ask_about_callbacks);
    run_group("fault", ask_about_faults);
}
