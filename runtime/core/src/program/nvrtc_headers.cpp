// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "program/nvrtc_headers.hpp"

#include <cubind/check.hpp>
#include <cubind/nvrtc/bundled_headers.hpp>
#include <cubind/nvrtc/constants.hpp>
#include <cubind/nvrtc/loading.hpp>
#include <cubind/nvrtc/strings.hpp>

#include <mutex>
#include <utility>

#include "program/bundled_headers.hpp"
#include "program/header_advice.hpp"
#include "program/program_flags.hpp"

namespace CUBIND_NAMESPACE::detail {
namespace {

/// The headers of this process, and whether those that NVRTC contains were considered.
struct Headers {
    std::mutex mutex;
    std::shared_ptr<const ToolkitHeaders> found;
    bool is_bundle_considered = false;
};

// Never destroyed: code that runs at exit may compile.
Headers& headers() {
    static Headers& instance = *new Headers;
    return instance;
}

void add_folders(const std::string& bundle, ToolkitHeaders& headers) {
    headers.folders.push_back(bundle);
    headers.folders.push_back(bundle + "/cccl");
    headers.has_cccl = true;
}

/// Adds the folders of the bundle, or the reason why it is not used. Headers of another release than NVRTC's are not combined
/// with it.
std::shared_ptr<const ToolkitHeaders> with_bundle(const ToolkitHeaders& found, int version, BundledHeaders bundle) {
    auto all = std::make_shared<ToolkitHeaders>(found);
    if (!bundle.folder.empty()) {
        if (all->release != version) all->folders.clear();
        add_folders(bundle.folder, *all);
    } else if (!bundle.problem.empty()) {
        all->refused.push_back(std::move(bundle.problem));
    }
    return all;
}

}  // namespace

std::shared_ptr<const ToolkitHeaders> headers_of_nvrtc(int version) {
    Headers& all = headers();
    const std::lock_guard lock(all.mutex);
    if (all.found == nullptr) {
        ToolkitHeaders found = toolkit_headers(library_path(nvrtc::library()), version);
        all.found = found.has_cccl ? std::make_shared<ToolkitHeaders>(std::move(found))
                                   : with_bundle(found, version, {.folder = installed_bundled_headers(version).folder});
    }
    return all.found;
}

bool complete_headers(int version, std::string_view log) {
    if (!is_cuda_header(missing_file(log))) return false;
    Headers& all = headers();
    const std::lock_guard lock(all.mutex);
    if (all.found == nullptr || all.found->has_cccl || std::exchange(all.is_bundle_considered, true)) return false;
    all.found = with_bundle(*all.found, version, install_bundled_headers(version));
    return all.found->has_cccl || !all.found->refused.empty();
}

std::shared_ptr<const ToolkitHeaders> chosen_bundled_headers(ProgramOptions& options, int version) {
    (void)nvrtc_flags(options, version);  // reports an NVRTC that is too old
    auto headers = std::make_shared<ToolkitHeaders>();
    (void)check(
        nvrtc::nvrtcInstallBundledHeaders(options.use_bundled_headers.c_str(), nvrtc::NVRTC_INSTALL_HEADERS_SKIP_IF_EXISTS));
    add_folders(std::exchange(options.use_bundled_headers, {}), *headers);
    headers->release = version;
    return headers;
}

}  // namespace CUBIND_NAMESPACE::detail
