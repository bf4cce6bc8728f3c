// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "program/object_code/load_diagnostics.hpp"

#include <cubind/core/device/simulation.hpp>
#include <cubind/detail/ptx_isa.hpp>
#include <cubind/driver/strings.hpp>
#include <cubind/driver/types.hpp>
#include <cubind/driver/version.hpp>
#include <cubind/ptx_version.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

#include "errors/misuse.hpp"
#include "platform/elf_format.hpp"
#include "program/object_code/global_names.hpp"
#include "program/object_code/object_code_state.hpp"

namespace CUBIND_NAMESPACE::detail {

// ---- images --------------------------------------------------------------------------------------------------------------

namespace {

/// The bytes of a code file.
using Image = std::span<const std::byte>;

constexpr std::string_view fatbin_magic("\x50\xED\x55\xBA");
constexpr std::size_t fatbin_header_size = 16;

bool begins_with(Image image, std::string_view bytes) {
    return image.size() >= bytes.size() && std::memcmp(image.data(), bytes.data(), bytes.size()) == 0;
}

/// Returns the number at the offset, which must lie within the image. Images and all hosts of the driver are little-endian.
template <class Number>
std::uint64_t read(Image image, std::size_t offset) {
    Number number;
    std::memcpy(&number, image.data() + offset, sizeof number);
    return number;
}

/// Returns the end of a part of a file, or the largest number if it overflows.
std::uint64_t end_of(std::uint64_t offset, std::uint64_t size) {
    return size > UINT64_MAX - offset ? UINT64_MAX : offset + size;
}

/// Returns the size in bytes of a 64-bit ELF file according to its headers.
std::uint64_t elf_size(Image image) {
    const std::uint64_t sections = read<std::uint64_t>(image, 40);
    const std::uint64_t section_size = read<std::uint16_t>(image, 58);
    const std::uint64_t section_count = read<std::uint16_t>(image, 60);
    std::uint64_t end = end_of(sections, section_size * section_count);
    end = std::max(end, end_of(read<std::uint64_t>(image, 32), read<std::uint16_t>(image, 54) * read<std::uint16_t>(image, 56)));
    if (end > image.size() || section_size < sizeof(elf::SectionHeader)) return end;
    for (std::uint64_t section = 0; section < section_count; ++section) {
        const std::size_t header = sections + section * section_size;
        if (read<std::uint32_t>(image, header + 4) == elf::no_bits) continue;
        end = std::max(end, end_of(read<std::uint64_t>(image, header + 24), read<std::uint64_t>(image, header + 32)));
    }
    return end;
}

std::uint64_t fatbin_size(Image image) {
    return end_of(read<std::uint16_t>(image, 6), read<std::uint64_t>(image, 8));
}

[[noreturn]] void throw_invalid_image(const ObjectCodeState& code, const std::string& problem) {
    const auto status = driver::CUDA_ERROR_INVALID_IMAGE;
    throw LoadError("driver", "cuLibraryLoadData", static_cast<int>(status), driver::to_string(status),
                    concat("the ", code.title(), " ", problem));
}

void check_size(const ObjectCodeState& code, std::uint64_t expected) {
    const std::size_t size = code.bytes().size();
    if (expected <= size) return;
    throw_invalid_image(code, concat("is damaged or truncated: it has ", size, " bytes, but its headers require ", expected));
}

void check_kind(const ObjectCodeState& code) {
    const CodeType kind = code.kind();
    if (kind == CodeType::cubin || kind == CodeType::ptx || kind == CodeType::fatbin) return;
    throw_misuse("the ", code.title(), " cannot be loaded: link it first with Linker({code}).link(CodeType::cubin)");
}

}  // namespace

ImageForm check_image(const ObjectCodeState& code) {
    check_kind(code);
    const Image image = code.bytes().span();
    if (begins_with(image, elf::magic)) {
        check_size(code, sizeof(elf::FileHeader));
        if (!begins_with(image, elf::magic_64))
            throw_invalid_image(code, "is an ELF file, but cubins are 64-bit little-endian ELF files");
        check_size(code, elf_size(image));
        return ImageForm::binary;
    }
    if (begins_with(image, fatbin_magic)) {
        check_size(code, fatbin_header_size);
        check_size(code, fatbin_size(image));
        return ImageForm::binary;
    }
    if (begins_with(image, "\xB1\x43\x62\x46")) {
        throw_invalid_image(
            code, "is the wrapper by which a program finds its fat binary, and contains an address; pass the fat binary itself");
    }
    return ImageForm::text;
}

// ---- rejected code -------------------------------------------------------------------------------------------------------

namespace {

/// Returns the version that PTX declares, 9040 for 9.4, or 0 if it declares none.
int version_of(const ObjectCodeState& code) {
    const auto bytes = code.bytes().span();
    const auto version = ptx_version(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
    return version ? 1000 * version->major + 10 * version->minor : 0;
}

// A driver compiles only PTX of its own CUDA release or an earlier one.
std::string advice_on_version(const ObjectCodeState& code) {
    const int version = version_of(code);
    const int driver = driver::cuDriverGetVersion().value;
    const int needed = first_release_with(version);
    std::string text = ": it is PTX ";
    text.append(version != 0 ? release_text(version) : "of an undeclared version").append(", and this driver, of CUDA ");
    text.append(release_text(driver));
    if (const int newest = ptx_limit(driver).ptx_isa; newest != 0)
        text.append(", accepts PTX up to ").append(release_text(newest));
    text.append(needed != 0 ? ". Use a driver of CUDA " : ". Use a driver that is newer than CUDA ");
    text.append(needed != 0 ? release_text(needed).append(" or newer") : release_text(std::end(ptx_isa_of_releases)[-1].release));
    // For a simulated device, Program::compile() returns PTX also for the target cubin.
    return text.append(is_simulated_driver()
                           ? ", which sim::Options::release or CUBIND_SIM_RELEASE chooses, or an older NVRTC"
                           : ", or compile to CodeType::cubin, which any driver of the same major release loads");
}

std::string reason(const Error& failure, const ObjectCodeState& code) {
    if (failure.library() != "driver") return {};
    switch (failure.code().value()) {
        case driver::CUDA_ERROR_UNSUPPORTED_PTX_VERSION:
            return advice_on_version(code);
        case driver::CUDA_ERROR_NO_BINARY_FOR_GPU:
            return is_simulated_driver()
                       ? ": the device is simulated and runs PTX; use CodeType::ptx, a fat binary with PTX, or compile "
                         "for the architecture of the device, which an empty arch selects"
                       : ": it contains no code for this device; compile for the architecture of the device, which an "
                         "empty arch selects";
        case driver::CUDA_ERROR_INVALID_IMAGE:
            return ": the bytes are damaged or of another kind";
        default:
            return {};
    }
}

}  // namespace

std::string load_advice(const Error& failure, const ObjectCodeState& code, const std::string& log) {
    std::string text = "The driver cannot load the ";
    text.append(code.title()).append(reason(failure, code));
    if (!log.empty()) text.append("\n").append(log);
    return text;
}

namespace {

/// Appends the first names of a list to a message.
class NameList {
public:
    explicit NameList(std::string& text) noexcept : text_(text) {}

    void add(const std::string& name) {
        if (listed_++ < max_listed) text_.append(listed_ == 1 ? "; it has " : ", ").append(name);
    }
    /// Ends the list. Returns whether it has a name.
    bool end() {
        if (listed_ > max_listed) text_.append(" and ").append(std::to_string(listed_ - max_listed)).append(" more");
        return listed_ != 0;
    }

private:
    static constexpr std::size_t max_listed = 30;
    std::string& text_;
    std::size_t listed_ = 0;
};

}  // namespace

std::string unknown_kernel_advice(const std::string& name, const ObjectCodeState& code, const std::vector<std::string>& kernels) {
    std::string text = concat("The ", code.title(), " has no kernel \"", name, "\"");
    NameList names(text);
    for (const auto& mapped : code.symbol_mapping()) names.add(mapped.first);
    for (const std::string& kernel : kernels) {
        bool is_mapped = false;
        for (const auto& mapped : code.symbol_mapping()) is_mapped = is_mapped || mapped.second == kernel;
        if (!is_mapped) names.add(kernel);
    }
    if (!names.end()) text.append("; drivers before CUDA 12.4 cannot list its kernels, or it has none");
    return text.append(
        ". Pass its symbol, which C++ mangles unless the kernel is extern \"C\", or a name expression that the code was "
        "compiled with");
}

std::string unknown_variable_advice(const char* kind, const std::string& name, const ObjectCodeState& code) {
    std::string text = concat("The ", code.title(), " has no ", kind, " variable \"", name, "\"");
    NameList names(text);
    try {
        for (const std::string& each : global_names(code)) names.add(each);
    } catch (const std::invalid_argument&) {  // neither PTX nor a cubin
    }
    (void)names.end();
    return text.append(
        ". Pass its symbol, which C++ mangles inside namespaces, or a name expression that the code was compiled with, such as "
        "\"&name\"");
}

}  // namespace CUBIND_NAMESPACE::detail
