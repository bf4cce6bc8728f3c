// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "objects/module/code.hpp"

#include <cubind/detail/ptx_isa.hpp>
#include <cubind/driver/strings.hpp>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <memory>
#include <mutex>
#include <set>
#include <string>

#include "objects/module/cubin/cubin.hpp"
#include "objects/module/fat_binary.hpp"
#include "ptx/text/target.hpp"
#include "support/report.hpp"

namespace CUBIND_NAMESPACE::sim {

using namespace driver;

namespace {

constexpr std::size_t min_binary_size = 64;  ///< of a cubin; the smallest fat binary with code is larger
constexpr unsigned char wrapper_magic[] = {0xb1, 0x43, 0x62, 0x46};

// Reads the structure that nvcc adds to programs: a magic number, a version, and the address of a fat binary.
Code read_wrapper(const unsigned char* data, const CodeTarget& target) {
    const void* fat_binary = nullptr;
    std::memcpy(&fat_binary, data + 8, sizeof fat_binary);
    if (fat_binary == nullptr || fat_binary_size(fat_binary) == 0)
        return {CUDA_ERROR_INVALID_IMAGE, "the structure that nvcc adds to a program does not refer to a fat binary", nullptr};
    return read_code(fat_binary, unknown_size, target);
}

// Reads machine code that a device of the target runs.
Code read_machine_code(std::string_view bytes, const CodeTarget& target) {
    CubinReading reading = read_cubin(bytes);
    if (!reading.problem.empty()) return {CUDA_ERROR_INVALID_IMAGE, std::move(reading.problem), nullptr};
    const ptx::ModuleInterface& image = reading.image;
    if (!can_run_machine_code(image.machine_target, image.variant, target.capability)) {
        std::string name = "sm_" + std::to_string(image.machine_target);
        if (image.variant != 0) name += image.variant;
        return {CUDA_ERROR_NO_BINARY_FOR_GPU,
                "the cubin is machine code for " + name + ", which a device of compute capability " +
                    std::to_string(target.capability / 10) + "." + std::to_string(target.capability % 10) + " cannot run",
                nullptr};
    }
    return {CUDA_SUCCESS, {}, std::make_shared<const ptx::ModuleInterface>(std::move(reading.image))};
}

Code read_cubin_at(const void* data, std::size_t size, const CodeTarget& target) {
    const std::size_t stated = size == unknown_size ? cubin_size(data) : size;
    if (stated == 0) {
        return {CUDA_ERROR_INVALID_IMAGE, "the cubin is truncated: its tables refer to memory that cannot be read", nullptr};
    }
    return read_machine_code({static_cast<const char*>(data), stated}, target);
}

Code read_fat_binary(const void* data, std::size_t size, const CodeTarget& target) {
    const std::size_t stated = fat_binary_size(data);
    if (stated > size) {
        return {CUDA_ERROR_INVALID_IMAGE,
                "the fat binary is truncated: it has " + std::to_string(size) + " bytes, but its header states " +
                    std::to_string(stated),
                nullptr};
    }
    FatBinaryCode found = find_code({static_cast<const char*>(data), stated}, target.capability, !target.is_linked);
    if (found.status != CUDA_SUCCESS) return {found.status, std::move(found.problem), nullptr};
    if (!found.is_cubin) return read_ptx(found.bytes, target.release);
    return read_machine_code(found.bytes, target);
}

}  // namespace

Code read_code(const void* data, std::size_t size, const CodeTarget& target) {
    const auto* const bytes = static_cast<const unsigned char*>(data);
    if (size < min_binary_size) return read_ptx({static_cast<const char*>(data), size}, target.release);
    if (is_cubin(data)) return read_cubin_at(data, size, target);
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
    return {CUDA_SUCCESS, {}, std::make_shared<const ptx::ModuleInterface>(std::move(reading.image))};
}

void check_code(Code& code, const Device& device, ptx::Externals externals) {
    if (code.image == nullptr || code.image->is_machine_code()) return;
    std::string problem = ptx::find_target_problem(*code.image, 10 * device.major + device.minor);
    const bool is_for_other_device = !problem.empty();
    if (device.allows_undefined_functions) externals = ptx::Externals::may_be_missing;
    if (problem.empty()) problem = ptx::find_mistake(*code.image, externals);
    if (!problem.empty()) code = {CUDA_ERROR_INVALID_PTX, std::move(problem), nullptr, is_for_other_device};
}

CUresult status_of_use(const Code& code) {
    const bool is_newer = code.status == CUDA_ERROR_UNSUPPORTED_PTX_VERSION;
    if (!is_newer && !code.is_for_other_device && code.status != CUDA_ERROR_NO_BINARY_FOR_GPU) return code.status;
    constexpr std::size_t max_reported = 8;  // a program can have many kinds of code that it never runs
    static std::mutex mutex;
    static auto& reported = *new std::set<std::string>;
    const std::lock_guard lock(mutex);
    if (reported.size() == max_reported || !reported.insert(code.problem).second) return code.status;
    const std::string remedy = is_newer ? "; simulate a later driver: cubind-sim --release, CUBIND_SIM_RELEASE"
                                        : "; simulate another device: cubind-sim --arch, CUBIND_SIM_COMPUTE_CAPABILITY";
    report("code of the program", "", to_string(code.status), (code.problem + remedy).c_str());
    return code.status;
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
