// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "shared/call_report.hpp"

#include "platform/process.hpp"
#include "shared/report_file.hpp"

namespace CUBIND_NAMESPACE::sim {

void CallReport::add(const char* function, unsigned long calls) {
    if (calls == 0) return;
    lines_ += std::to_string(cubind::detail::process_id()) + ' ' + library_ + ' ' + function + ' ' + std::to_string(calls) + '\n';
}

void CallReport::write() const {
    append_report("CUBIND_SIM_REPORT", (std::string("the calls of ") + library_).c_str(), lines_);
}

}  // namespace CUBIND_NAMESPACE::sim
