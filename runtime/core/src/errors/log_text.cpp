// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "errors/log_text.hpp"

namespace CUBIND_NAMESPACE::detail {

std::string trim_log(std::string log) {
    log.erase(std::min(log.find('\0'), log.size()));
    while (log.ends_with('\n') || log.ends_with('\r') || log.ends_with(' ')) log.pop_back();
    return log;
}

std::string first_error(const std::string& log) {
    for (std::size_t begin = 0; begin < log.size();) {
        const std::size_t end = std::min(log.find('\n', begin), log.size());
        const std::string line = log.substr(begin, end - begin);
        if (line.find("error") != std::string::npos || line.find("ERROR") != std::string::npos) return line;
        begin = end + 1;
    }
    return log.substr(0, log.find('\n'));
}

}  // namespace CUBIND_NAMESPACE::detail
