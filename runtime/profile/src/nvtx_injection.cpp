// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "nvtx_injection.hpp"

#include <string>
#include <string_view>

#include "errors/misuse.hpp"
#include "platform/environment.hpp"
#include "platform/file.hpp"
#include "platform/nvtx_tool.hpp"

namespace CUBIND_NAMESPACE::profile::detail {

using cubind::detail::concat;

namespace {

constexpr const char* variable = "NVTX_INJECTION64_PATH";

// The variable may also be a name that the OS loader searches: "libcupti.so.13".
bool is_cupti(const char* tool, const char* library) {
    cubind::detail::FileStatus left, right;
    if (cubind::detail::status_of_path(tool, left) == 0 && cubind::detail::status_of_path(library, right) == 0)
        return left.is_same_file(right);
    return std::string_view(tool).find("libcupti") != std::string_view::npos;
}

}  // namespace

// NVTX's implementations in the process look for the tool at their first range. That of cubind does so here.
std::string send_ranges_to_cupti(const char* library) {
    if (library == nullptr) return {};  // the calls of CUPTI fail
    const char* const tool = cubind::detail::environment_variable(variable);
    if (tool == nullptr || *tool == '\0') {
        if (cubind::detail::set_environment_variable(variable, library) != 0)
            return concat("Ranges of NVTX are missing: the environment variable ", variable, " could not be set.");
    } else if (!is_cupti(tool, library)) {
        return concat("Ranges of NVTX are missing: they go to another tool, because the environment variable ", variable, " is ",
                      tool, ". Start the program without it.");
    }
    if (cubind::detail::nvtx_tool().is_attached) return {};
    return concat(
        "Ranges of cubind are missing, because the first one preceded the recorder: create the recorder earlier, or start the "
        "program with the environment variable ",
        variable, "=", library, ".");
}

}  // namespace CUBIND_NAMESPACE::profile::detail
