// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "link/link_job.hpp"

#include <cubind/core/context.hpp>
#include <cubind/core/device.hpp>
#include <cubind/driver/module.hpp>
#include <cubind/driver/version.hpp>

#include <bit>
#include <cstdint>

#include "link/backend_choice.hpp"
#include "support/driver.hpp"
#include "support/log_text.hpp"

namespace cubind::detail {
namespace {

using namespace driver;

/// The options of a link as the driver takes them. It writes logs and times into them as long as the link is there.
class Options {
public:
    explicit Options(const LinkerOptions& options) : info_(log_size, '\0'), error_(log_size, '\0') {
        for (const auto& [option, value] : options.driver_options(check(cuDriverGetVersion()))) add(option, number(value));
        add(CU_JIT_INFO_LOG_BUFFER, info_.data());
        add(CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES, number(log_size));
        add(CU_JIT_ERROR_LOG_BUFFER, error_.data());
        add(CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, number(log_size));
    }

    unsigned count() const { return static_cast<unsigned>(keys_.size()); }
    CUjit_option* keys() { return keys_.data(); }
    void** values() { return values_.data(); }

    std::string error_log() const { return trim_log(error_); }
    /// With the time, where it was asked for.
    std::string info_log() const {
        std::string text = trim_log(info_);
        for (std::size_t i = 0; i < keys_.size(); ++i) {
            if (keys_[i] != CU_JIT_WALL_TIME) continue;
            const auto bits = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(values_[i]));
            text.append(text.empty() ? "" : "\n").append("linked in ").append(std::to_string(std::bit_cast<float>(bits))).append(" ms");
        }
        return text;
    }

private:
    static constexpr unsigned log_size = 1 << 15;

    static void* number(unsigned value) { return reinterpret_cast<void*>(static_cast<std::uintptr_t>(value)); }
    void add(CUjit_option option, void* value) {
        keys_.push_back(option);
        values_.push_back(value);
    }

    std::string info_;
    std::string error_;
    std::vector<CUjit_option> keys_;
    std::vector<void*> values_;
};

CUjitInputType input_type(const LinkJob& job, std::size_t index) {
    switch (job.objects[index].kind()) {
        case CodeType::cubin: return CU_JIT_INPUT_CUBIN;
        case CodeType::ptx: return CU_JIT_INPUT_PTX;
        case CodeType::fatbin: return CU_JIT_INPUT_FATBINARY;
        case CodeType::object: return CU_JIT_INPUT_OBJECT;
        case CodeType::library: return CU_JIT_INPUT_LIBRARY;
        case CodeType::lto_ir: break;
    }
    const auto status = CUDA_ERROR_NOT_SUPPORTED;
    const Error failure("driver", "cuLinkAddData_v2", static_cast<int>(status), to_string(status),
                        std::string("the driver's linker takes no LTO-IR, as \"").append(input_name(job, index)).append("\" is; nvJitLink does"));
    throw link_error(failure, job, std::string("nvJitLink is not used: ").append(choose_backend().fallback_reason));
}

/// A link that the driver is working on, in the current context.
class Link {
    template <class Result>
    auto check_step(const Result& result) {
        return check_as(result, [&](const Error& failure) { return link_error(failure, job_, options_.error_log()); });
    }

public:
    explicit Link(const LinkJob& job) : job_(job), options_(job.options) {
        state_ = check_step(cuLinkCreate_v2(options_.count(), options_.keys(), options_.values()));
    }
    Link(const Link&) = delete;
    Link& operator=(const Link&) = delete;
    ~Link() { report_unless_released(cuLinkDestroy(state_), "end a link of the driver", state_); }

    void add(std::size_t index) {
        const CUjitInputType type = input_type(job_, index);
        const InputBytes bytes(job_.objects[index]);
        check_step(cuLinkAddData_v2(state_, type, const_cast<void*>(bytes.data()), bytes.size(), input_name(job_, index).c_str(), 0, nullptr,
                                    nullptr));
    }

    Linked complete() {
        const auto [code, size] = check_step(cuLinkComplete(state_));
        return {Bytes::copy_of(code, size), options_.info_log(), options_.error_log()};
    }

private:
    const LinkJob& job_;
    Options options_;
    CUlinkState state_ = nullptr;
};

}  // namespace

Linked link_with_driver(const LinkJob& job) {
    const ScopedContext scope(Device().context());
    Link link(job);
    for (std::size_t i = 0; i < job.objects.size(); ++i) link.add(i);
    return link.complete();
}

}  // namespace cubind::detail
