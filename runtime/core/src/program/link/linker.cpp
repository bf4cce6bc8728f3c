// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/program/linker.hpp>

#include <algorithm>
#include <span>
#include <string>
#include <utility>

#include "errors/misuse.hpp"
#include "program/link/link_job.hpp"
#include "program/link/lto_ir.hpp"
#include "program/options/architecture.hpp"

namespace CUBIND_NAMESPACE {
namespace {

using detail::is_lto_ir;

// PTX results from LTO-IR only: linkers turn PTX and machine code into machine code.
void check_target(CodeType target, const std::vector<ObjectCode>& objects, const LinkerOptions& options, LinkerBackend backend) {
    if (target == CodeType::cubin) {
        if (options.ptx)
            detail::throw_misuse("LinkerOptions::ptx is set, but the target is a cubin: use link(CodeType::ptx) for PTX");
        return;
    }
    if (target != CodeType::ptx) {
        detail::throw_misuse("a Linker cannot produce ", to_string(target),
                             ": the target is CodeType::cubin, or CodeType::ptx for LTO-IR");
    }
    if (backend == LinkerBackend::driver) {
        detail::throw_misuse("the driver's linker produces cubins only: link(CodeType::ptx) needs nvJitLink");
    }
    const auto other = std::find_if_not(objects.begin(), objects.end(), is_lto_ir);
    if (other == objects.end()) return;
    detail::throw_misuse("link(CodeType::ptx) needs LTO-IR in all inputs, but one of them is ", to_string(other->kind()), " \"",
                         other->name(), "\"");
}

// nvJitLink leaves functions without a definition to the linker of machine code if its result is PTX. For a simulated device,
// that linker is its driver.
detail::Linked complete_for_simulation(detail::Linked linked, const detail::LinkJob& job) {
    std::string name;
    for (std::size_t i = 0; i < job.objects.size(); ++i) name.append(i == 0 ? "" : ", ").append(detail::input_name(job, i));
    const ObjectCode ptx = ObjectCode::from_bytes(CodeType::ptx, std::move(linked.code), {.name = name});
    detail::LinkJob rest{std::span(&ptx, 1), job.options, CodeType::ptx};
    (void)detail::simulated_backend(rest);
    linked.code = detail::link_with_driver(rest, job).code;
    return linked;
}

}  // namespace

const char* to_string(LinkerBackend backend) noexcept {
    return backend == LinkerBackend::nvjitlink ? "nvJitLink" : "driver";
}

LinkerBackend Linker::which_backend() {
    return detail::choose_backend().backend;
}

Linker::Linker(std::vector<ObjectCode> objects, LinkerOptions options)
    : objects_(std::move(objects)), options_(std::move(options)) {
    if (objects_.empty()) detail::throw_misuse("a Linker needs at least one ObjectCode, but was given none");
    for (const ObjectCode& object : objects_) {  // kind() throws for an object that was moved from
        if (object.kind() == CodeType::tile_ir)
            detail::throw_misuse("a Linker cannot link Tile IR: compile it with Program(SourceKind::tile_ir, ...)");
    }
    options_.check();
    detail::BackendChoice choice = detail::choose_backend();
    backend_ = choice.backend;
    fallback_reason_ = std::move(choice.fallback_reason);
}

ObjectCode Linker::link(CodeType target) {
    info_log_.clear();
    error_log_.clear();
    detail::BackendChoice choice = detail::choose_backend();
    check_target(target, objects_, options_, choice.backend);
    detail::LinkJob job{objects_, options_, target};
    bool is_completed_by_driver = false;
    if (job.options.arch.empty()) job.options.arch = detail::current_architecture("LinkerOptions");
    if (target == CodeType::cubin && detail::is_architecture_of_simulated_device(job.options.arch)) {
        job.target = CodeType::ptx;
        const bool has_nvjitlink = choice.backend == LinkerBackend::nvjitlink;
        const bool has_lto_ir = std::any_of(objects_.begin(), objects_.end(), is_lto_ir);
        if (has_nvjitlink && has_lto_ir) check_target(job.target, objects_, options_, choice.backend);
        if (has_nvjitlink && !has_lto_ir) choice = detail::simulated_backend(job);
        is_completed_by_driver = has_nvjitlink && has_lto_ir;
    }
    backend_ = choice.backend;
    fallback_reason_ = std::move(choice.fallback_reason);
    try {
        detail::Linked linked =
            backend_ == LinkerBackend::nvjitlink ? detail::link_with_nvjitlink(job) : detail::link_with_driver(job, job);
        if (is_completed_by_driver) linked = complete_for_simulation(std::move(linked), job);
        info_log_ = std::move(linked.info_log);
        error_log_ = std::move(linked.error_log);
        return ObjectCode::from_bytes(job.target, std::move(linked.code), {.name = options_.name});
    } catch (const LinkError& failure) {
        error_log_ = failure.log();
        throw;
    }
}

}  // namespace CUBIND_NAMESPACE
