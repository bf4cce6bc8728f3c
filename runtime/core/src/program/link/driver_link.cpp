// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/device/context.hpp>
#include <cubind/core/device/device.hpp>
#include <cubind/driver/module.hpp>
#include <cubind/driver/version.hpp>

#include <bit>
#include <cstdint>

#include "calls/driver.hpp"
#include "errors/log_text.hpp"
#include "program/link/link_job.hpp"
#include "program/link/linker_flags.hpp"
#include "program/options/architecture.hpp"
#include "program/options/option_check.hpp"

namespace CUBIND_NAMESPACE::detail {
namespace {

using namespace driver;

constexpr const char* only_old_lto_ir =
    "the driver's linker optimizes only LTO-IR of toolkits before CUDA 12.0; install nvJitLink.";
constexpr const char* only_nvjitlink = "the driver's linker has no such option; install nvJitLink, which has it.";
constexpr const char* only_by_environment =
    "the driver's linker has no such option; set the environment variable CUDA_CACHE_DISABLE=1 to "
    "disable the driver's cache, or install nvJitLink.";

// Refuses options that the driver does not have, or has only for LTO-IR that no supported toolkit produces.
void refuse_other_options(const LinkerOptions& options) {
    const struct {
        bool is_set;
        const char* option;
        const char* why;
    } unsupported[] = {
        {options.link_time_optimization, "link_time_optimization", only_old_lto_ir},
        {options.ftz.has_value(), "ftz", only_old_lto_ir},
        {options.prec_div.has_value(), "prec_div", only_old_lto_ir},
        {options.prec_sqrt.has_value(), "prec_sqrt", only_old_lto_ir},
        {options.fma.has_value(), "fma", only_old_lto_ir},
        {!options.kernels_used.empty(), "kernels_used", only_old_lto_ir},
        {!options.variables_used.empty(), "variables_used", only_old_lto_ir},
        {options.optimize_unused_variables, "optimize_unused_variables", only_old_lto_ir},
        {!options.ptxas_options.empty(), "ptxas_options", only_nvjitlink},
        {options.split_compile_extended.has_value(), "split_compile_extended", only_nvjitlink},
        {options.no_cache, "no_cache", only_by_environment},
    };
    for (const auto& other : unsupported) {
        if (other.is_set) OptionCheck("LinkerOptions").refuse(other.option, "set", other.why);
    }
}

// A CUjit_target is the number of the architecture, plus an offset for the suffixes a and f.
unsigned target(const std::string& arch) {
    const auto architecture = parse_architecture(arch);
    constexpr unsigned accelerated = CU_TARGET_COMPUTE_90A - CU_TARGET_COMPUTE_90;
    constexpr unsigned family = CU_TARGET_COMPUTE_100F - CU_TARGET_COMPUTE_100;
    return architecture->number + (architecture->suffix == 'a' ? accelerated : architecture->suffix == 'f' ? family : 0);
}

/// The options of a link in the driver's form. The driver writes logs and times into them as long as the link exists.
class Options {
public:
    explicit Options(const LinkerOptions& options) : info_(log_size, '\0'), error_(log_size, '\0') {
        for (const auto& [option, value] : driver_options(options, check(cuDriverGetVersion()))) add(option, number(value));
        add(CU_JIT_INFO_LOG_BUFFER, info_.data());
        add(CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES, number(log_size));
        add(CU_JIT_ERROR_LOG_BUFFER, error_.data());
        add(CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, number(log_size));
    }

    unsigned count() const { return static_cast<unsigned>(keys_.size()); }
    CUjit_option* keys() { return keys_.data(); }
    void** values() { return values_.data(); }

    std::string error_log() const { return trim_log(error_); }
    /// Contains the time if LinkerOptions::time is set.
    std::string info_log() const {
        std::string text = trim_log(info_);
        for (std::size_t i = 0; i < keys_.size(); ++i) {
            if (keys_[i] != CU_JIT_WALL_TIME) continue;
            const auto bits = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(values_[i]));
            text.append(text.empty() ? "" : "\n")
                .append("linked in ")
                .append(std::to_string(std::bit_cast<float>(bits)))
                .append(" ms");
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
        case CodeType::cubin:
            return CU_JIT_INPUT_CUBIN;
        case CodeType::ptx:
            return CU_JIT_INPUT_PTX;
        case CodeType::fatbin:
            return CU_JIT_INPUT_FATBINARY;
        case CodeType::object:
            return CU_JIT_INPUT_OBJECT;
        case CodeType::library:
            return CU_JIT_INPUT_LIBRARY;
        case CodeType::lto_ir:
        case CodeType::tile_ir:  // which Linker refuses
            break;
    }
    const auto status = CUDA_ERROR_NOT_SUPPORTED;
    const Error failure("driver", "cuLinkAddData_v2", static_cast<int>(status), to_string(status),
                        std::string("\"")
                            .append(input_name(job, index))
                            .append("\" is LTO-IR, which the driver's linker does not accept; install nvJitLink"));
    throw link_error(failure, job, std::string("nvJitLink is not used: ").append(choose_backend().fallback_reason));
}

/// A link of the driver, in the current context.
class DriverLink {
    template <class Result>
    auto check_step(const Result& result) {
        return check_as(result, [&](const Error& failure) { return link_error(failure, named_, options_.error_log()); });
    }

public:
    DriverLink(const LinkJob& job, const LinkJob& named) : job_(job), named_(named), options_(job.options) {
        state_ = check_step(cuLinkCreate_v2(options_.count(), options_.keys(), options_.values()));
    }
    DriverLink(const DriverLink&) = delete;
    DriverLink& operator=(const DriverLink&) = delete;
    ~DriverLink() { report_unless_released(cuLinkDestroy(state_), "destroy a link of the driver", state_); }

    void add(std::size_t index) {
        const CUjitInputType type = input_type(job_, index);
        const InputBytes bytes(job_.objects[index]);
        check_step(cuLinkAddData_v2(state_, type, const_cast<void*>(bytes.data()), bytes.size(), input_name(job_, index).c_str(),
                                    0, nullptr, nullptr));
    }

    Linked complete() {
        const auto [code, size] = check_step(cuLinkComplete(state_));
        const std::size_t terminator = job_.target == CodeType::ptx ? 1 : 0;
        return {Bytes::copy_of(code, size - terminator), options_.info_log(), options_.error_log()};
    }

private:
    const LinkJob& job_;
    const LinkJob& named_;
    Options options_;
    CUlinkState state_ = nullptr;
};

}  // namespace

std::vector<std::pair<CUjit_option, unsigned>> driver_options(const LinkerOptions& options, int driver_version) {
    options.check();
    refuse_other_options(options);
    std::vector<std::pair<CUjit_option, unsigned>> values;
    const auto add = [&values](CUjit_option option, unsigned value) { values.emplace_back(option, value); };
    if (!options.arch.empty()) add(CU_JIT_TARGET, target(options.arch));
    if (options.max_register_count) add(CU_JIT_MAX_REGISTERS, static_cast<unsigned>(*options.max_register_count));
    if (options.time) add(CU_JIT_WALL_TIME, 0);
    if (options.verbose) add(CU_JIT_LOG_VERBOSE, 1);
    if (options.optimization_level) add(CU_JIT_OPTIMIZATION_LEVEL, static_cast<unsigned>(*options.optimization_level));
    if (options.debug) add(CU_JIT_GENERATE_DEBUG_INFO, 1);
    if (options.lineinfo) add(CU_JIT_GENERATE_LINE_INFO, 1);
    if (options.split_compile) {
        const std::string flag = "CU_JIT_SPLIT_COMPILE=" + std::to_string(*options.split_compile);
        OptionCheck("LinkerOptions").release("split_compile", flag, "a driver", 13000, driver_version);
        add(CU_JIT_SPLIT_COMPILE, static_cast<unsigned>(*options.split_compile));
    }
    return values;
}

Linked link_with_driver(const LinkJob& job, const LinkJob& named) {
    const ScopedContext scope(Device().context());
    DriverLink link(job, named);
    for (std::size_t i = 0; i < job.objects.size(); ++i) link.add(i);
    return link.complete();
}

}  // namespace CUBIND_NAMESPACE::detail
