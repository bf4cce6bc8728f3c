// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "objects/module/code.hpp"

#include <cubind/detail/ptx_isa.hpp>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <memory>

#include "objects/module/fat_binary.hpp"
#include "ptx/target.hpp"

namespace CUBIND_NAMESPACE::sim {

namespace {

// Checks for an ELF file for CUDA devices. If the first bytes are those of a 64-bit ELF file, its whole header is readable.
bool is_cubin(const unsigned char* data) {
    constexpr unsigned char machine = 190;
    constexpr unsigned char beginning[] = {0x7f, 'E', 'L', 'F', 2, 1, 1};
    return begins_with(data, beginning) && data[18] == machine && data[19] == 0;
}

constexpr unsigned char wrapper_magic[] = {0xb1, 0x43, 0x62, 0x46};

// Reads the structure that nvcc adds to programs: a magic number, a version, and the address of a fat binary.
Code read_wrapper(const unsigned char* data, const CodeTarget& target) {
    const void* fat_binary = nullptr;
    std::memcpy(&fat_binary, data + 8, sizeof fat_binary);
    if (fat_binary == nullptr || fat_binary_size(fat_binary) == 0)
        return {CUDA_ERROR_INVALID_IMAGE, "the structure that nvcc adds to a program does not refer to a fat binary", nullptr};
    return read_code(fat_binary, unknown_size, target);
}

Code read_fat_binary(const void* data, std::size_t size, const CodeTarget& target) {
    const std::size_t stated = fat_binary_size(data);
    if (stated > size) {
        return {CUDA_ERROR_INVALID_IMAGE,
                "the fat binary is truncated: it has " + std::to_string(size) + " bytes, but its header states " +
                    std::to_string(stated),
                nullptr};
    }
    FatBinaryPtx found = find_ptx({static_cast<const char*>(data), stated}, target.capability);
    if (found.status != CUDA_SUCCESS) return {found.status, std::move(found.problem), nullptr};
    return read_ptx(found.text, target.release);
}

}  // namespace

Code read_code(const void* data, std::size_t size, const CodeTarget& target) {
    const auto* const bytes = static_cast<const unsigned char*>(data);
    constexpr std::size_t min_binary_size = 64;  // of a cubin; the smallest fat binary with code is larger
    if (size < min_binary_size) return read_ptx({static_cast<const char*>(data), size}, target.release);
    if (is_cubin(bytes)) {
        return {
            CUDA_ERROR_NO_BINARY_FOR_GPU,
            "the code is a cubin, which is machine code of a GPU; a simulated device runs PTX, so load PTX, or a fat binary that "
            "has it",
            nullptr};
    }
    if (fat_binary_size(data) != 0) return read_fat_binary(data, size, target);
    if (size == unknown_size && begins_with(bytes, wrapper_magic)) return read_wrapper(bytes, target);
    return read_ptx({static_cast<const char*>(data), size == unknown_size ? std::strlen(static_cast<const char*>(data)) : size},
                    target.release);
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

void check_code(Code& code, const Device& device, ptx::Externals externals) {
    if (code.image == nullptr) return;
    std::string problem = ptx::find_target_problem(*code.image, 10 * device.major + device.minor);
    if (problem.empty()) problem = ptx::find_mistake(*code.image, externals);
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
