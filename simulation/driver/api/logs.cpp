// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <simulation/functions.hpp>
#include <string>

#include "platform/write_signals.hpp"
#include "support/driver_log.hpp"
#include "support/output.hpp"

namespace CUBIND_NAMESPACE::sim {

namespace {

DriverLog& log() noexcept {
    return DriverLog::of_process();
}

CUresult refuse_argument(const char* reason) {
    log().write(CU_LOG_LEVEL_ERROR, reason);
    return CUDA_ERROR_INVALID_VALUE;
}

bool is_refused(const CUlogIterator* iterator, CUresult& status) {
    if (log().is_valid(iterator)) return false;
    status = refuse_argument("the iterator is after the end of the log");
    return true;
}

bool write_file(const char* path, const std::string& text) {
    cubind::detail::WithoutWriteSignals signals;
    std::FILE* const file = std::fopen(path, "we");
    if (file == nullptr) return false;
    const bool is_written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
    signals.has_failed = std::fclose(file) != 0 || !is_written;
    return !signals.has_failed;
}

}  // namespace

extern "C" {

// None of these functions needs cuInit. As with a GPU's driver, they accept any flags.

CUresult sim_cuLogsRegisterCallback(CUlogsCallback callbackFunc, void* userData, CUlogsCallbackHandle* callback_out) {
    if (callbackFunc == nullptr) return refuse_argument("callbackFunc is a null pointer");
    const CUlogsCallbackHandle handle = log().add(callbackFunc, userData);
    if (callback_out != nullptr) *callback_out = handle;
    return CUDA_SUCCESS;
}

CUresult sim_cuLogsUnregisterCallback(CUlogsCallbackHandle callback) {
    return log().remove(callback) ? CUDA_SUCCESS : refuse_argument("callback is not registered");
}

CUresult sim_cuLogsCurrent(CUlogIterator* iterator_out, unsigned int /*flags*/) {
    return iterator_out != nullptr ? write_output(iterator_out, log().end()) : refuse_argument("iterator_out is a null pointer");
}

CUresult sim_cuLogsDumpToFile(CUlogIterator* iterator, const char* pathToFile, unsigned int /*flags*/) {
    CUresult status = CUDA_SUCCESS;
    if (is_refused(iterator, status)) return status;
    if (pathToFile == nullptr) return refuse_argument("pathToFile is a null pointer");
    CUlogIterator position = iterator != nullptr ? *iterator : 0;
    const std::string text = log().messages(iterator != nullptr ? &position : nullptr);
    if (!write_file(pathToFile, text)) return refuse_argument("the file cannot be written");
    if (iterator != nullptr) *iterator = position;
    return CUDA_SUCCESS;
}

CUresult sim_cuLogsDumpToMemory(CUlogIterator* iterator, char* buffer, std::size_t* size, unsigned int /*flags*/) {
    CUresult status = CUDA_SUCCESS;
    if (is_refused(iterator, status)) return status;
    if (buffer == nullptr) return refuse_argument("buffer is a null pointer");
    if (size == nullptr) return refuse_argument("size is a null pointer");
    status = log().write_messages(iterator, buffer, size);
    return status == CUDA_SUCCESS ? status : refuse_argument("the buffer is too small for the latest message");
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim
