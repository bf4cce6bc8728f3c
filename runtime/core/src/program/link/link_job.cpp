// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "program/link/link_job.hpp"

#include <cubind/failure.hpp>
#include <cubind/nvjitlink/linking.hpp>
#include <cubind/nvjitlink/loading.hpp>

#include <utility>

#include "errors/log_text.hpp"

namespace CUBIND_NAMESPACE::detail {

BackendChoice choose_backend() {
    const char* const path = library_path(nvjitlink::library());
    if (path == nullptr) {
        (void)nvjitlink::nvJitLinkVersion();  // fails, and records the reason
        return {LinkerBackend::driver, last_failure().detail};
    }
    // The first three releases report no version and do not link the output of later compilers.
    if (version(nvjitlink::library()) == 0) {
        return {LinkerBackend::driver, std::string("nvJitLink at ").append(path).append(" is older than CUDA 12.3")};
    }
    return {LinkerBackend::nvjitlink, {}};
}

BackendChoice simulated_backend(LinkJob& job) {
    const LinkerOptions all = std::exchange(job.options, {});
    job.options = {.name = all.name, .arch = all.arch, .time = all.time, .verbose = all.verbose};
    return {LinkerBackend::driver,
            "the device is simulated; its driver links PTX to PTX, and nvJitLink links PTX to machine code"};
}

std::string input_name(const LinkJob& job, std::size_t index) {
    const std::string& name = job.objects[index].name();
    return name.empty() ? std::string("input ").append(std::to_string(index + 1)) : name;
}

InputBytes::InputBytes(const ObjectCode& object) : bytes_(object.bytes()) {
    if (object.kind() != CodeType::ptx || bytes_.back() == std::byte{0}) return;
    text_.reserve(bytes_.size() + 1);
    text_.assign(reinterpret_cast<const char*>(bytes_.data()), bytes_.size()).push_back('\0');
}

LinkError link_error(const Error& failure, const LinkJob& job, const std::string& log) {
    std::string text = "The link for ";
    text.append(job.options.arch).append(" failed. Inputs: ");
    for (std::size_t i = 0; i < job.objects.size(); ++i) {
        text.append(i == 0 ? "" : ", ")
            .append(to_string(job.objects[i].kind()))
            .append(" \"")
            .append(input_name(job, i))
            .append("\"");
    }
    if (const std::string first = first_error(log); !first.empty()) text.append(": ").append(first);
    return LinkError(failure, text, log);
}

}  // namespace CUBIND_NAMESPACE::detail
