// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "transfer/open_file.hpp"

#include <cubind/cufile/files.hpp>

#include <string_view>

#include "errors/misuse.hpp"

namespace CUBIND_NAMESPACE::detail::io {

using namespace cufile;

namespace {

void check_options(const std::string& path, const FileOptions& options) {
    if (path.empty() || path.find('\0') != path.npos) throw_misuse("File: the path is empty, or has a NUL in it: ", path);
    if (!options.read && !options.write) throw_misuse("File ", path, ": set the option read, write, or both");
    if (!options.write && (options.create || options.truncate)) {
        throw_misuse("File ", path, ": the options create and truncate need the option write");
    }
    if (options.exclusive && !options.create) throw_misuse("File ", path, ": the option exclusive needs the option create");
    if (options.chunk_count < 2) {
        throw_misuse("File ", path, ": a chunk_count of ", options.chunk_count, " is less than 2, so that nothing overlaps");
    }
    if (options.chunk_size == 0 || options.chunk_size % page != 0 || options.chunk_size > max_call_size) {
        throw_misuse("File ", path, ": the chunk_size ", options.chunk_size, " is not a multiple of ", page, " from ", page,
                     " to ", max_call_size);
    }
}

// Returns whether the kernel driver, or the kernel itself, transfers between this storage and devices.
bool has_gpu_direct(const FileDriverProperties& found, Storage storage, bool is_demanded) {
    // In the order of Storage. cuFile knows more kinds than those, and refuses the others.
    constexpr CUfileDriverStatusFlags_t flags[] = {CU_FILE_MAX_TARGET_TYPES, CU_FILE_NVME_SUPPORTED, CU_FILE_NFS_SUPPORTED,
                                                   CU_FILE_LUSTRE_SUPPORTED, CU_FILE_GPFS_SUPPORTED, CU_FILE_BEEGFS_SUPPORTED};
    if (storage == Storage::nvme && found.supports(CU_FILE_NVME_P2P_SUPPORTED)) return true;
    if (!found.has_nvidia_fs()) return false;
    if (storage == Storage::other) return is_demanded && found.native.nvfs.dstatusflags != 0;
    return found.supports(flags[static_cast<int>(storage)]);
}

}  // namespace

OpenFile::OpenFile(const std::string& path, const FileOptions& options)
    : path_(path), options_(options), bounces_(options.chunk_size, options.chunk_count) {
    check_options(path, options);
    check_demand();  // before a file is created or loses its content
    const OpenMode mode{.read = options.read,
                        .write = options.write,
                        .create = options.create,
                        .exclusive = options.exclusive,
                        .truncate = options.truncate,
                        .permissions = options.permissions};
    // GPUDirect Storage needs the direct descriptor. Whether the storage supports it is known before cuFile is asked.
    const bool may_be_direct = options.direct || (options.route != FileRoute::cufile && reason_.empty());
    if (const int error = posix_.open(path.c_str(), mode, may_be_direct); error != 0) {
        throw_system_failure("open", error, {"open", path_});
    }
    choose_route();
    if (options.route && route_ < *options.route) throw_without_route();
    if (route_ != FileRoute::gpu_direct && !options.direct) posix_.use_page_cache();
}

void OpenFile::check_demand() {
    reason_ = options_.route == FileRoute::posix ? "the option route demands posix" : CufileSession::unavailability();
    if (!reason_.empty() && options_.route > FileRoute::posix) throw_without_route();
}

void OpenFile::throw_without_route() const {
    throw_cufile_status(
        "File", {CU_FILE_PLATFORM_NOT_SUPPORTED, driver::CUDA_SUCCESS}, {"open", path_},
        concat("The option demands the route ", to_string(*options_.route), ", which the file cannot have: ", reason_, "."));
}

void OpenFile::choose_route() {
    if (!reason_.empty()) return;
    if (!options_.route && (posix_.storage() == Storage::other || CufileSession::is_without_gpu_direct())) {
        reason_ = "this machine has no GPUDirect Storage for the file system and its device";
        return;
    }
    try {
        use_cufile();
    } catch (const Error& error) {  // cuFile is installed, and does not work here
        if (options_.route) throw;
        reason_ = std::string(error.what()).substr(0, std::string_view(error.what()).find('\n'));
    }
    if (handle_ == nullptr) session_ = nullptr;
}

void OpenFile::use_cufile() {
    session_ = CufileSession::open();
    properties_ = session_->properties();
    FileRoute route = FileRoute::gpu_direct;
    if (!has_gpu_direct(properties_, posix_.storage(), options_.route == FileRoute::gpu_direct)) {
        route = FileRoute::cufile;
        reason_ = "cuFile has no GPUDirect Storage for this file system on this machine";
    } else if (!posix_.is_direct()) {
        route = FileRoute::cufile;
        reason_ = "the file system opens no file without the page cache (O_DIRECT)";
    }
    if (route == FileRoute::cufile && options_.route != FileRoute::cufile) return;
    if (route == FileRoute::cufile && !options_.direct) posix_.use_page_cache();
    CUfileDescr_t description{};
    description.type = CU_FILE_HANDLE_TYPE_OPAQUE_FD;
    description.handle.fd = posix_.descriptor();
    handle_ = checked(cuFileHandleRegister(&description), {"open", path_});
    route_ = route;
}

OpenFile::~OpenFile() {
    if (handle_ != nullptr) cuFileHandleDeregister(handle_);
}

}  // namespace CUBIND_NAMESPACE::detail::io
