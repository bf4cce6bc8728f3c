// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/nvjitlink/linking.hpp>
#include <cubind/nvjitlink/loading.hpp>
#include <cubind/nvjitlink/strings.hpp>

#include <algorithm>
#include <cstdint>
#include <deque>

#include "calls/driver.hpp"
#include "errors/log_text.hpp"
#include "lifetime/cleanup.hpp"
#include "program/link/link_job.hpp"
#include "program/link/linker_flags.hpp"
#include "program/link/lto_ir.hpp"

namespace CUBIND_NAMESPACE::detail {
namespace {

using namespace nvjitlink;

nvJitLinkInputType input_type(CodeType kind) {
    switch (kind) {
        case CodeType::cubin:
            return NVJITLINK_INPUT_CUBIN;
        case CodeType::ptx:
            return NVJITLINK_INPUT_PTX;
        case CodeType::lto_ir:
            return NVJITLINK_INPUT_LTOIR;
        case CodeType::fatbin:
            return NVJITLINK_INPUT_FATBIN;
        case CodeType::object:
            return NVJITLINK_INPUT_OBJECT;
        case CodeType::library:
            return NVJITLINK_INPUT_LIBRARY;
        case CodeType::tile_ir:  // which Linker refuses
            break;
    }
    return NVJITLINK_INPUT_NONE;
}

/// A link of nvJitLink.
class NvJitLinkLink {
    template <class Result>
    auto check_step(const Result& result) const {
        return check_as(result, [&](const Error& failure) { return link_error(failure, job_, error_log()); });
    }

public:
    explicit NvJitLinkLink(const LinkJob& job) : job_(job) {
        const std::vector<std::string> flags = nvjitlink_flags(job.options, version(nvjitlink::library()));
        std::vector<const char*> texts;
        for (const std::string& flag : flags) texts.push_back(flag.c_str());
        const auto created = nvJitLinkCreate(static_cast<std::uint32_t>(texts.size()), texts.data());
        handle_ = created.value;
        if (created.ok()) return;
        // If there is a handle, its log explains which option nvJitLink refused.
        const std::string log = error_log();
        destroy();
        check_as(created, [&](const Error& failure) { return link_error(failure, job, log); });
    }
    NvJitLinkLink(const NvJitLinkLink&) = delete;
    NvJitLinkLink& operator=(const NvJitLinkLink&) = delete;
    ~NvJitLinkLink() { destroy(); }

    void add(std::size_t index) {
        const InputBytes bytes(job_.objects[index]);
        names_.push_back(input_name(job_, index));
        check_step(
            nvJitLinkAddData(handle_, input_type(job_.objects[index].kind()), bytes.data(), bytes.size(), names_.back().c_str()));
    }
    void complete() { check_step(nvJitLinkComplete(handle_)); }

    Bytes cubin() {
        const std::size_t size = check_step(nvJitLinkGetLinkedCubinSize(handle_));
        const std::shared_ptr<std::byte[]> bytes(new std::byte[size]);
        check_step(nvJitLinkGetLinkedCubin(handle_, bytes.get()));
        return Bytes(bytes, size);
    }
    /// Returns the text without the NUL at its end.
    Bytes ptx() {
        const std::size_t size = check_step(nvJitLinkGetLinkedPtxSize(handle_));
        std::string text(size, '\0');
        check_step(nvJitLinkGetLinkedPtx(handle_, text.data()));
        return Bytes::copy_of(text.data(), std::min(size, text.find('\0')));
    }

    // A link succeeds even if its log is missing.
    std::string error_log() const { return read_log(handle_, nvJitLinkGetErrorLogSize, nvJitLinkGetErrorLog); }
    std::string info_log() const { return read_log(handle_, nvJitLinkGetInfoLogSize, nvJitLinkGetInfoLog); }

private:
    void destroy() noexcept {
        if (handle_ == nullptr) return;
        const auto destroyed = nvJitLinkDestroy(handle_);
        if (!destroyed.ok()) report_cleanup_failure("destroy a link of nvJitLink", to_string(destroyed.status));
        handle_ = nullptr;
    }

    const LinkJob& job_;
    std::deque<std::string> names_;  // names of the inputs; nvJitLink stores their addresses for its log
    nvJitLinkHandle handle_ = nullptr;
};

}  // namespace

Linked link_with_nvjitlink(const LinkJob& original) {
    LinkJob job = original;
    job.options.link_time_optimization |= std::any_of(job.objects.begin(), job.objects.end(), is_lto_ir);
    job.options.ptx = job.target == CodeType::ptx;
    NvJitLinkLink link(job);
    for (std::size_t i = 0; i < job.objects.size(); ++i) link.add(i);
    link.complete();
    Bytes code = job.target == CodeType::ptx ? link.ptx() : link.cubin();
    return {std::move(code), link.info_log(), link.error_log()};
}

}  // namespace CUBIND_NAMESPACE::detail
