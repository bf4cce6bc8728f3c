// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Part of libcuda.so.1 only: writes the executed instructions to the file of CUBIND_SIM_FIDELITY when the process ends.
#include <exception>
#include <string>

#include "platform/process.hpp"
#include "ptx/fidelity/instruction_counts.hpp"
#include "shared/report_file.hpp"

namespace CUBIND_NAMESPACE::sim {

namespace {

[[gnu::destructor]] void write_fidelity_report() noexcept {
    try {
        const std::string process = std::to_string(cubind::detail::process_id()) + '\t';
        std::string lines;
        for (const ExecutedInstruction& each : ptx::classified_executions()) {
            lines += process + name_of(each.fidelity) + '\t' + std::to_string(each.executions) + '\t' + each.kernel + '\t' +
                     each.instruction + '\t' + each.reason + '\n';
        }
        append_report("CUBIND_SIM_FIDELITY", "the executed instructions", lines);
    } catch (const std::exception&) {  // no memory for the text
    }
}

}  // namespace

}  // namespace CUBIND_NAMESPACE::sim
