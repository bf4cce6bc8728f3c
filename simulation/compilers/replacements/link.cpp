// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "compilers/replacements/link.hpp"

#include <cubind/driver/types.hpp>

#include <map>
#include <mutex>
#include <optional>

#include "platform/dynamic_library.hpp"
#include "platform/file.hpp"
#include "shared/simulated_link.hpp"

namespace CUBIND_NAMESPACE::sim {

namespace {

using namespace nvjitlink;

/// The links of the process by their handles.
struct Links {
    std::mutex mutex;
    std::map<nvJitLinkHandle, std::shared_ptr<Link>> by_handle;
};

Links& links() {
    static auto& all = *new Links;  // programs link until the process has ended
    return all;
}

// Returns the type of an input for the driver, or nothing.
std::optional<unsigned> driver_type(nvJitLinkInputType type, const std::string& bytes) {
    const bool is_archive = bytes.starts_with("!<arch>\n");
    const bool is_fat_binary = bytes.starts_with("\x50\xed\x55\xba");
    switch (type) {
        case NVJITLINK_INPUT_CUBIN:
            return driver::CU_JIT_INPUT_CUBIN;
        case NVJITLINK_INPUT_PTX:
            return driver::CU_JIT_INPUT_PTX;
        case NVJITLINK_INPUT_FATBIN:
            return driver::CU_JIT_INPUT_FATBINARY;
        case NVJITLINK_INPUT_OBJECT:
            return driver::CU_JIT_INPUT_OBJECT;
        case NVJITLINK_INPUT_LIBRARY:
            return driver::CU_JIT_INPUT_LIBRARY;
        case NVJITLINK_INPUT_ANY:
            return is_archive      ? driver::CU_JIT_INPUT_LIBRARY
                   : is_fat_binary ? driver::CU_JIT_INPUT_FATBINARY
                                   : driver::CU_JIT_INPUT_CUBIN;
        default:
            return std::nullopt;
    }
}

// Finds the linker in the simulated driver beside this library. A copy of the driver is loaded for it, because this library must
// not call the one of the program, which is of another namespace of the dynamic linker.
SimulatedLink* find_linker(std::string& problem) {
    const char* const self = cubind::detail::file_of_address(reinterpret_cast<void*>(&find_linker));
    if (self == nullptr) {
        problem = "the folder of the simulated driver is unknown";
        return nullptr;
    }
    const std::string path = self;
    void* const driver = cubind::detail::open_library((path.substr(0, path.rfind('/') + 1) + "libcuda.so.1").c_str());
    void* const function = driver != nullptr ? cubind::detail::find_symbol(driver, simulated_link_symbol) : nullptr;
    if (function == nullptr) {
        const char* const error = cubind::detail::loader_error();
        problem = std::string("the simulated driver cannot be loaded: ") + (error != nullptr ? error : "unknown");
    }
    return reinterpret_cast<SimulatedLink*>(function);
}

}  // namespace

bool Link::add(nvJitLinkInputType type, std::string bytes, const char* name) {
    const auto known = driver_type(type, bytes);
    if (!known) return false;
    inputs_.push_back({*known, std::move(bytes), name != nullptr ? name : ""});
    return true;
}

bool Link::complete() {
    SimulatedLink* const link = find_linker(problem);
    if (link == nullptr) return false;
    std::vector<SimulatedLinkInput> inputs;
    for (const Input& each : inputs_) inputs.push_back({each.type, each.bytes.data(), each.bytes.size(), each.name.c_str()});
    const auto receive = [](void* receiver, const char* text, std::size_t size, const char* reasons) {
        auto& self = *static_cast<Link*>(receiver);
        self.code.assign(text, size);
        self.problem = reasons;
    };
    const int status = link(inputs.data(), inputs.size(), sizeof(SimulatedLinkInput), receive, this);
    if (status != 0 && problem.empty()) problem = "the simulated driver cannot link: status " + std::to_string(status);
    return status == 0;
}

void add_link(nvJitLinkHandle handle, bool is_lto) {
    const std::lock_guard lock(links().mutex);
    links().by_handle[handle] = std::make_shared<Link>(is_lto);
}

std::shared_ptr<Link> find_link(nvJitLinkHandle handle) noexcept {
    const std::lock_guard lock(links().mutex);
    const auto found = links().by_handle.find(handle);
    return found != links().by_handle.end() ? found->second : nullptr;
}

void remove_link(nvJitLinkHandle handle) noexcept {
    const std::lock_guard lock(links().mutex);
    links().by_handle.erase(handle);
}

bool read_whole_file(const char* path, std::string& bytes) {
    const cubind::detail::Descriptor file = cubind::detail::open_to_read(path);
    cubind::detail::FileStatus status;
    if (!file || cubind::detail::status_of_file(file.number(), status) != 0 || status.kind != cubind::detail::FileKind::regular) {
        return false;
    }
    for (char buffer[4096];;) {
        const cubind::detail::ReadResult got = cubind::detail::read_all(file.number(), buffer, sizeof buffer);
        if (got.error != 0) return false;
        bytes.append(buffer, got.bytes);
        if (got.bytes < sizeof buffer) return true;
    }
}

}  // namespace CUBIND_NAMESPACE::sim
