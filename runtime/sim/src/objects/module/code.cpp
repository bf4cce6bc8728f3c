// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "objects/module/code.hpp"

#include <cubind/detail/ptx_isa.hpp>

#include <cstdio>
#include <memory>

#include "ptx/target.hpp"

namespace CUBIND_NAMESPACE::sim {

namespace {

// Compares byte by byte, so that it does not read beyond the terminating NUL of a shorter text.
bool begins_with(const unsigned char* data, std::initializer_list<unsigned char> bytes) {
    for (const unsigned char byte : bytes) {
        if (*data++ != byte) return false;
    }
    return true;
}

// Checks for an ELF file for CUDA devices. A 64-bit ELF file has at least a complete header.
bool is_cubin(const unsigned char* data) {
    constexpr unsigned char machine = 190;
    return begins_with(data, {0x7f, 'E', 'L', 'F', 2, 1, 1}) && data[18] == machine && data[19] == 0;
}

}  // namespace

Code read_code(const void* data, int release) {
    const auto* const bytes = static_cast<const unsigned char*>(data);
    constexpr const char* only_ptx = "; a simulated device can load PTX only";
    if (is_cubin(bytes)) {
        return {CUDA_ERROR_NO_BINARY_FOR_GPU, std::string("the code is a cubin") + only_ptx, nullptr};
    }
    if (begins_with(bytes, {0x50, 0xed, 0x55, 0xba}) || begins_with(bytes, {0xb1, 0x43, 0x62, 0x46})) {
        return {CUDA_ERROR_NO_BINARY_FOR_GPU, std::string("the code is a fat binary") + only_ptx, nullptr};
    }
    return read_ptx(static_cast<const char*>(data), release);
}

Code read_ptx(std::string_view text, int release) {
    if (!ptx::looks_like_ptx(text)) {
        return {CUDA_ERROR_INVALID_IMAGE, "the code is not PTX, which begins with .version, and has no other known format",
                nullptr};
    }
    ptx::ReadResult reading = ptx::read(text, cubind::detail::ptx_limit(release).ptx_isa);
    if (reading.status != CUDA_SUCCESS) return {reading.status, std::move(reading.problem), nullptr};
    return {CUDA_SUCCESS, {}, std::make_shared<const ptx::Image>(std::move(reading.image))};
}

void check_target(Code& code, const Device& device) {
    if (code.image == nullptr) return;
    std::string problem = ptx::find_target_problem(*code.image, 10 * device.major + device.minor);
    if (!problem.empty()) code = {CUDA_ERROR_INVALID_PTX, std::move(problem), nullptr};
}

CUresult read_file(const char* path, std::string& text) {
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path, "rb"), std::fclose);
    if (file == nullptr) return CUDA_ERROR_FILE_NOT_FOUND;
    char buffer[4096];
    for (std::size_t count = 0; (count = std::fread(buffer, 1, sizeof buffer, file.get())) != 0;) text.append(buffer, count);
    if (std::ferror(file.get()) != 0) return CUDA_ERROR_OUT_OF_MEMORY;  // as the driver does, for example for a folder
    constexpr std::size_t header = 64;
    text.append(header, '\0');
    return CUDA_SUCCESS;
}

}  // namespace CUBIND_NAMESPACE::sim
