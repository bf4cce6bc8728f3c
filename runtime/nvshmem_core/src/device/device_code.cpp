// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/program/linker.hpp>
#include <cubind/find.hpp>
#include <cubind/library.hpp>
#include <cubind/nvshmem/extensions.hpp>
#include <cubind/nvshmem/loading.hpp>
#include <cubind/nvshmem_core/device_code.hpp>
#include <cubind/nvshmem_core/session.hpp>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "errors/missing_file.hpp"
#include "errors/misuse.hpp"
#include "lifetime/cleanup.hpp"
#include "support/session_state.hpp"

namespace CUBIND_NAMESPACE::nvshmem {

using detail::SessionState;

namespace {

namespace fs = std::filesystem;

/// Precedes the source. First, the types of the library, which g++ and nvcc have, too, and by which the linker knows its
/// functions: NVRTC gets other types of the same size from three headers of CUDA, which are named otherwise here. Then, what the
/// headers of NVSHMEM 3.4 use of the host's <type_traits>, which NVRTC lacks.
constexpr const char* prelude_name = "cubind_nvshmem_prelude.h";
constexpr const char* prelude_text =
    "#include <cuda/std/climits>\n"
    "#include <cuda/std/version>\n"
    "#define int64_t cubind_other_int64_t\n"
    "#define uint64_t cubind_other_uint64_t\n"
    "#define intptr_t cubind_other_intptr_t\n"
    "#define uintptr_t cubind_other_uintptr_t\n"
    "#include <cuda/std/cstdint>\n"
    "#if __has_include(<cuda_awbarrier_helpers.h>)\n"
    "#include <cuda_awbarrier_helpers.h>\n"
    "#endif\n"
    "#if __has_include(<cuda_pipeline_helpers.h>)\n"
    "#include <cuda_pipeline_helpers.h>\n"
    "#endif\n"
    "#undef int64_t\n"
    "#undef uint64_t\n"
    "#undef intptr_t\n"
    "#undef uintptr_t\n"
    "using int64_t = long;\n"
    "using uint64_t = unsigned long;\n"
    "using intptr_t = long;\n"
    "using uintptr_t = unsigned long;\n"
    "namespace cuda {\n"
    "namespace std {\n"
    "using ::int64_t;\n"
    "using ::uint64_t;\n"
    "using ::intptr_t;\n"
    "using ::uintptr_t;\n"
    "}\n"
    "}\n"
    "#include <non_abi/nvshmem_version.h>\n"
    "#if NVSHMEM_VENDOR_MAJOR_VERSION == 3 && NVSHMEM_VENDOR_MINOR_VERSION < 8\n"
    "#include <cuda/std/type_traits>\n"
    "namespace std {\n"
    "using ::cuda::std::is_empty;\n"
    "using ::cuda::std::is_integral;\n"
    "using ::cuda::std::is_same;\n"
    "using ::cuda::std::is_signed;\n"
    "using ::cuda::std::is_unsigned;\n"
    "}\n"
    "#endif\n";

/// Returns where the artifact is: in the package of the library, whose release it must have, unless a variable names another.
std::string find(ArtifactKind kind, const char* name, const fs::path& beside_library, const char* file, const char* function) {
    const Location usual = locate(kind, name);
    if (usual.ok() && usual.found_via == "environment variable") return usual.path;
    if (const char* const path = library_path(library()); path != nullptr && fs::path(path).is_absolute()) {
        std::error_code ignored;
        const fs::path folder = (fs::path(path).parent_path() / beside_library).lexically_normal();
        if (fs::exists(folder / file, ignored)) return (kind == ArtifactKind::headers ? folder : folder / file).string();
    }
    if (usual.ok()) return usual.path;
    cubind::detail::throw_missing_file(
        "nvshmem", function,
        cubind::detail::concat(file,
                               " was not found. It is in the Python package nvidia-nvshmem-cu13 and in NVIDIA's package "
                               "libnvshmem3-dev-cuda-13. ",
                               usual.message));
}

}  // namespace

std::string include_folder() {
    return find(ArtifactKind::headers, "nvshmem", "../include", "nvshmem.h", "include_folder");
}

std::string device_library() {
    return find(ArtifactKind::static_library, "nvshmem_device", ".", "libnvshmem_device.a", "device_library");
}

Program program(std::string source, ProgramOptions options, std::vector<IncludedHeader> headers) {
    options.include_path.push_back(include_folder());
    if (options.std.empty()) options.std = "c++17";
    if (!options.link_time_optimization) options.relocatable_device_code = true;
    options.device_as_default_execution_space = true;  // the headers of 3.4 have functions that do not say where they run
    options.pre_include.insert(options.pre_include.begin(), prelude_name);
    headers.push_back({prelude_name, prelude_text});
    return Program(std::move(source), std::move(options), std::move(headers));
}

ObjectCode link_device_library(const ObjectCode& code, const LinkerOptions& options) {
    return Linker({code, ObjectCode::from_file(CodeType::library, device_library())}, options).link(CodeType::cubin);
}

LinkedCode link(const Session& session, const ObjectCode& code, const LinkerOptions& options) {
    return LinkedCode(session, link_device_library(code, options));
}

LinkedCode::LinkedCode(const Session& session, ObjectCode code) : code_(std::move(code)) {
    const SessionState& own = session.state();
    const ScopedContext scope(own.context);
    own.check("LinkedCode", nvshmemx_culibrary_init(code_.native_handle()));
    session_ = session.shared_state();
    ++session_->codes;
}

LinkedCode& LinkedCode::operator=(LinkedCode&& other) noexcept {
    if (this != &other) {
        reset();
        session_ = std::move(other.session_);
        code_ = std::move(other.code_);
    }
    return *this;
}

const ObjectCode& LinkedCode::code() const {
    if (session_ == nullptr) cubind::detail::throw_misuse("this LinkedCode was moved from or closed: link the code again");
    return code_;
}

void LinkedCode::close() {
    const auto session = std::move(session_);
    if (session == nullptr) return;
    --session->codes;
    const ScopedContext scope(session->context);
    session->check("LinkedCode::close", nvshmemx_culibrary_finalize(code_.native_handle()));
}

void LinkedCode::reset() noexcept {
    try {
        close();
    } catch (...) {
        cubind::detail::report_exception_unless_released("disconnect code from NVSHMEM");
    }
}

}  // namespace CUBIND_NAMESPACE::nvshmem
