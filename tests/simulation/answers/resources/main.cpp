// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Asks the driver that the operating system's loader finds about green contexts, resources of devices, and tensor maps. Prints
// one line "NAME: ANSWER" per question in a fixed order.
#include "resources/groups.hpp"
#include "runner.hpp"

int main() {
    using namespace answers;
    run_group("machine", ask_about_machine);
    run_group("resource", ask_about_resources);
    run_group("split", ask_about_splits);
    run_group("structured split", ask_about_structured_splits);
    run_group("queue", ask_about_queues);
    run_group("descriptor", ask_about_descriptors);
    run_group("green context", ask_about_green_contexts);
    run_group("green stream", ask_about_green_streams);
    run_group("green event", ask_about_green_events);
    run_group("no green context", ask_about_missing_green_contexts);
    run_group("tiled map", ask_about_tiled_maps);
    run_group("im2col map", ask_about_im2col_maps);
}
