// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/device/simulation.hpp>
#include <cubind/core/launch/kernel_function.hpp>
#include <cubind/core/program/file_program_cache.hpp>
#include <cubind/core/program/linker.hpp>
#include <cubind/core/program/program.hpp>
#include <cubind/kernels/embedded_code.hpp>

#include <algorithm>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "errors/misuse.hpp"

namespace CUBIND_NAMESPACE {

namespace {

/// The cache of all embedded code of this library, which is created when it is first needed.
class SharedCache {
public:
    std::shared_ptr<ProgramCache> get() {
        const std::lock_guard lock(mutex_);
        if (!is_set_) cache_ = std::make_shared<FileProgramCache>();
        is_set_ = true;
        return cache_;
    }
    void set(std::shared_ptr<ProgramCache> cache) {
        const std::lock_guard lock(mutex_);
        is_set_ = true;
        cache_.swap(cache);
    }

private:
    std::mutex mutex_;
    bool is_set_ = false;
    std::shared_ptr<ProgramCache> cache_;
};

SharedCache& shared_cache() {
    static SharedCache cache;
    return cache;
}

ObjectCode compile_source(const EmbeddedCodeContent& content, const std::string& arch, CodeType target) {
    ProgramOptions options{.name = std::string(content.name), .arch = arch};
    options.extra_options.assign(content.options.begin(), content.options.end());
    std::vector<IncludedHeader> headers;
    for (const EmbeddedHeader& header : content.headers) headers.push_back({std::string(header.name), std::string(header.text)});
    const std::shared_ptr<ProgramCache> cache = shared_cache().get();
    CompileOptions compile{.name_expressions = {content.name_expressions.begin(), content.name_expressions.end()},
                           .cache = cache.get(),
                           .extra_digest = "the options of embedded code name no files"};
    return Program(std::string(content.code), std::move(options), std::move(headers)).compile(target, compile);
}

ObjectCode code_for(const EmbeddedCodeContent& content, const std::string& arch, CodeType target) {
    if (!content.compiled) return compile_source(content, arch, target);
    ObjectCode code = ObjectCode::from_bytes(*content.compiled, content.code, {.name = std::string(content.name)});
    if (*content.compiled != CodeType::lto_ir) return code;
    return Linker({std::move(code)}, {.name = std::string(content.name), .arch = arch, .link_time_optimization = true})
        .link(target);
}

bool has_tile_kernels(const EmbeddedCodeContent& content) {
    return std::any_of(content.options.begin(), content.options.end(),
                       [](std::string_view option) { return option == "--enable-tile" || option == "-enable-tile"; });
}

/// Returns whether all devices run the same code.
bool is_same_for_all_devices(const EmbeddedCodeContent& content) {
    if (content.compiled && *content.compiled != CodeType::lto_ir) return true;
    const std::vector<Device> devices = Device::all();
    for (const Device& device : devices) {
        if (device.arch() != devices.front().arch()) return false;
    }
    return true;
}

}  // namespace

namespace detail {

class EmbeddedCodeState {
public:
    ObjectCode object_code(const EmbeddedCodeContent& content, const Device& device) {
        const std::lock_guard lock(mutex_);
        return code(content, device);
    }

    const Kernel& kernel(const EmbeddedCodeContent& content, const EmbeddedKernelName& name, const unsigned int* types,
                         const Device& device, LoadedKernel& loaded) {
        const std::lock_guard lock(mutex_);
        auto& kernels = kernels_[key_of(content, device)];
        auto found = kernels.find(&loaded);
        if (found == kernels.end()) {
            Kernel kernel = code(content, device).kernel(has_expression(content, name) ? name.expression : name.symbol);
            check_signature(kernel, types, device);
            found = kernels.emplace(&loaded, std::move(kernel)).first;
        }
        if (*is_uniform_) loaded.store(&found->second, std::memory_order_release);
        return found->second;
    }

    /// Makes all kernels forget what they have loaded.
    ~EmbeddedCodeState() {
        for (auto& [arch, kernels] : kernels_) {
            for (auto& [loaded, kernel] : kernels) loaded->store(nullptr, std::memory_order_release);
        }
    }

private:
    // Only the compilation of source code tells the symbols of name expressions.
    static bool has_expression(const EmbeddedCodeContent& content, const EmbeddedKernelName& name) noexcept {
        return name.expression != nullptr && !content.compiled;
    }

    /// Returns the architecture of the device, or an empty text if all devices run the same code.
    std::string key_of(const EmbeddedCodeContent& content, const Device& device) {
        if (!is_uniform_) is_uniform_ = is_same_for_all_devices(content);
        return *is_uniform_ ? std::string() : device.arch();
    }

    const ObjectCode& code(const EmbeddedCodeContent& content, const Device& device) {
        const std::string key = key_of(content, device);
        const auto found = codes_.find(key);
        if (found != codes_.end()) return found->second;
        const CodeType simulated = has_tile_kernels(content) ? CodeType::tile_ir : CodeType::ptx;
        const CodeType target = is_simulated_driver() ? simulated : CodeType::cubin;
        return codes_.emplace(key, code_for(content, "sm_" + device.arch(), target)).first->second;
    }

    std::mutex mutex_;
    std::optional<bool> is_uniform_;
    std::map<std::string, ObjectCode> codes_;                         ///< by key_of()
    std::map<std::string, std::map<LoadedKernel*, Kernel>> kernels_;  ///< by key_of(); the addresses of kernels are stable
};

struct EmbeddedCodeAccess {
    static EmbeddedCodeState& state_of(const EmbeddedCode& code) {
        EmbeddedCodeState* state = code.state_.load(std::memory_order_acquire);
        if (state != nullptr) return *state;
        auto created = std::make_unique<EmbeddedCodeState>();
        if (code.state_.compare_exchange_strong(state, created.get(), std::memory_order_acq_rel)) return *created.release();
        return *state;
    }
    static void release(const EmbeddedCode& code) noexcept { delete code.state_.exchange(nullptr, std::memory_order_acq_rel); }
};

const Kernel& embedded_kernel(const EmbeddedCode& code, const EmbeddedKernelName& name, const unsigned int* types,
                              const Device& device, LoadedKernel& loaded) {
    return EmbeddedCodeAccess::state_of(code).kernel(code.content(), name, types, device, loaded);
}

}  // namespace detail

ObjectCode EmbeddedCode::object_code(const Device& device) const {
    return detail::EmbeddedCodeAccess::state_of(*this).object_code(content_, device);
}

EmbeddedCodeScope::~EmbeddedCodeScope() {
    detail::EmbeddedCodeAccess::release(code_);
}

void set_embedded_code_cache(std::shared_ptr<ProgramCache> cache) {
    shared_cache().set(std::move(cache));
}

}  // namespace CUBIND_NAMESPACE
