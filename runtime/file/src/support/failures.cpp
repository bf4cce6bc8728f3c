// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "support/failures.hpp"

#include <cubind/cufile/constants.hpp>
#include <cubind/cufile/status.hpp>

#include <cerrno>
#include <system_error>

#include "errors/misuse.hpp"

namespace CUBIND_NAMESPACE::detail::io {

using namespace cufile;

namespace {

FileError::Place place_of(const Where& where) {
    return {where.operation, where.path, where.offset, where.size, where.completed};
}

std::string advice_on(int error) {
    switch (error) {
        case ENOENT:
            return "Check the path, or create the file with the options write and create.";
        case EACCES:
        case EPERM:
        case EROFS:
            return "Check the permissions of the file and of its folders, and whether the options ask for more than is needed.";
        case EISDIR:
            return "Pass the path of a file.";
        case ESPIPE:
        case ENXIO:
            return "Pass a regular file or a block device: transfers need offsets, which pipes, sockets and terminals do not "
                   "have.";
        case EEXIST:
            return "Remove the file, or leave out the option exclusive.";
        case ENOSPC:
        case EDQUOT:
            return "The device of the file is full, or the quota of the user is used up.";
        case EFBIG:
            return "The file would exceed the limit of the file system, or that of the process (ulimit -f).";
        case EFAULT:
            return "The memory of the host does not exist at these addresses: was it freed?";
        case EMFILE:
        case ENFILE:
            return "Too many files are open: close some, or raise the limit (ulimit -n).";
        case EIO:
            return "The device of the file has failed: the kernel's log has the cause.";
        default:
            return {};
    }
}

std::string advice_on(CUfileOpError status) {
    switch (status) {
        case CU_FILE_DRIVER_NOT_INITIALIZED:
        case CU_FILE_NVFS_DRIVER_ERROR:
        case CU_FILE_DRIVER_VERSION_MISMATCH:
            return "gdscheck -p of NVIDIA's GPUDirect Storage prints what is missing; cufile.log has the cause. With the route "
                   "posix, cuFile is not used.";
        case CU_FILE_DIO_NOT_SET:
            return "This release of cuFile needs the option direct.";
        case CU_FILE_HANDLE_NOT_REGISTERED:
            return "cuFile has refused the file: it may not know the file system, need the option direct, or have its "
                   "compatibility "
                   "mode switched off in cufile.json. Use the route posix, or no route.";
        case CU_FILE_IO_NOT_SUPPORTED:
        case CU_FILE_DEVICE_NOT_SUPPORTED:
        case CU_FILE_PLATFORM_NOT_SUPPORTED:
            return "Use the route posix, or no route: then the file is transferred through memory of the host if needed.";
        case CU_FILE_MEMORY_ALREADY_REGISTERED:
            return "Register memory once.";
        case CU_FILE_GPU_MEMORY_PINNING_FAILED:
        case CU_FILE_INTERNAL_BUF_REGISTER_ERROR:
            return "The device can expose less memory than was asked for (BAR1): register smaller buffers, or none.";
        case CU_FILE_PERMISSION_DENIED:
            return "The options of the File do not permit the operation.";
        case CU_FILE_BATCH_FULL:
        case CU_FILE_BATCH_SUBMIT_FAILED:
            return "FileDriverProperties::max_batch_size() is the largest number of requests.";
        default:
            return "cufile.log, in the working directory or where cufile.json says, may have the cause.";
    }
}

}  // namespace

void throw_system_failure(const char* function, int error, const Where& where, const std::string& advice) {
    const Error failure("system", function, error, "errno", std::generic_category().message(error));
    throw FileError(failure, place_of(where), driver::CUDA_SUCCESS, advice.empty() ? advice_on(error) : advice);
}

void throw_cufile_failure(const CUfileError& status, const Where& where, const std::string& advice) {
    try {
        throw_error("cufile", static_cast<int>(status.err), to_string(status), describe(status), true);
    } catch (const Error& error) {
        throw FileError(error, place_of(where), status.cu_err, advice.empty() ? advice_on(status.err) : advice);
    }
}

void throw_cufile_status(const char* function, const CUfileError& status, const Where& where, const std::string& advice) {
    const Error failure("cufile", function, static_cast<int>(status.err), to_string(status), describe(status));
    throw FileError(failure, place_of(where), status.cu_err, advice.empty() ? advice_on(status.err) : advice);
}

void throw_cufile_transfer(const char* function, std::ptrdiff_t returned, int system_error, const Where& where) {
    if (returned <= -CUFILEOP_BASE_ERR) {
        throw_cufile_status(function, {static_cast<CUfileOpError>(-returned), driver::CUDA_SUCCESS}, where);
    }
    if (returned < -1) system_error = static_cast<int>(-returned);
    throw_system_failure(function, system_error == 0 ? EIO : system_error, where);
}

}  // namespace CUBIND_NAMESPACE::detail::io
