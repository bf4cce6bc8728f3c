// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "program/object_code/loaded_library.hpp"

#include <cubind/core/device/simulation.hpp>
#include <cubind/core/program/program_options.hpp>
#include <cubind/detail/host_function.hpp>
#include <cubind/driver/library.hpp>
#include <cubind/driver/strings.hpp>

#include <iterator>

#include "calls/driver.hpp"
#include "device/device_table.hpp"
#include "errors/misuse.hpp"
#include "lifetime/relaxed_capture_mode.hpp"
#include "program/object_code/load_diagnostics.hpp"
#include "program/object_code/object_code_state.hpp"
#include "program/options/architecture.hpp"
#include "program/program_flags.hpp"
#include "program/tile_assembly.hpp"

namespace CUBIND_NAMESPACE::detail {

struct LoadedLibrary::Log {
    char text[8192] = {};
    driver::CUjit_option options[2] = {driver::CU_JIT_ERROR_LOG_BUFFER, driver::CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void* values[2] = {text, reinterpret_cast<void*>(sizeof text)};
};

/// Unloads a library later.
class LoadedLibrary::Unload final : public Deferred {
public:
    ~Unload() override {
        if (library == nullptr) return;
        const RelaxedCaptureMode mode;
        report_unless_released(driver::cuLibraryUnload(library), "unload code", library);
    }

    driver::CUlibrary library = nullptr;
};

namespace {

// Returns a copy of text with a NUL at its end, because the driver receives no size; an empty string if the text ends with NUL
// already.
std::string terminated(const ObjectCodeState& code) {
    const std::span<const std::byte> bytes = code.bytes().span();
    if (bytes.back() == std::byte{0}) return {};
    return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

// Drivers load no Tile IR, so that it is compiled for the current device.
Bytes machine_code_of_tile_ir(const ObjectCodeState& code) try {
    if (is_simulated_driver()) {
        const auto status = driver::CUDA_ERROR_NOT_SUPPORTED;
        throw LoadError(
            "driver", "cuLibraryLoadData", static_cast<int>(status), driver::to_string(status),
            concat("the ", code.title(), " needs a GPU: the simulated driver executes PTX, and there is none of Tile kernels"));
    }
    const ProgramOptions options{.name = code.name(), .arch = current_architecture("ProgramOptions")};
    check_tile_architecture(options.arch);
    const std::string source(reinterpret_cast<const char*>(code.bytes().data()), code.bytes().size());
    return assemble_tile_ir(find_tile_assembler(), {source, {}, {}, CodeType::cubin, options, tile_flags(options)}).code;
} catch (const CompileError& error) {
    throw LoadError(error, concat("The ", code.title(), " cannot be loaded"));
}

}  // namespace

LoadedLibrary::LoadedLibrary(const ObjectCodeState& code) : unload_(std::make_unique<Unload>()) {
    std::string text;
    Bytes machine_code;
    if (code.kind() == CodeType::tile_ir) {
        machine_code = machine_code_of_tile_ir(code);
    } else if (check_image(code) == ImageForm::text) {
        text = terminated(code);
        log_ = std::make_unique<Log>();
    }
    (void)DeviceTable::get();  // initializes the driver
    const void* const image = !machine_code.empty() ? static_cast<const void*>(machine_code.data())
                              : text.empty()        ? static_cast<const void*>(code.bytes().data())
                                                    : text.c_str();
    const unsigned options = log_ ? static_cast<unsigned>(std::size(log_->options)) : 0;
    const auto loaded = driver::cuLibraryLoadData(image, log_ ? log_->options : nullptr, log_ ? log_->values : nullptr, options,
                                                  nullptr, nullptr, 0);
    handle_ = check_as(loaded, [&](const Error& failure) { return LoadError(failure, load_advice(failure, code, log())); });
    destroy_ready_objects();
}

LoadedLibrary::~LoadedLibrary() {
    if (!is_in_host_function()) {
        const RelaxedCaptureMode mode;
        const auto unloaded = driver::cuLibraryUnload(handle_);
        // CUDA_ERROR_NOT_PERMITTED means that the thread runs a host function that the program passed to the driver itself.
        if (unloaded.status != driver::CUDA_ERROR_NOT_PERMITTED) {
            report_unless_released(unloaded, "unload code", handle_);
            return;
        }
    }
    unload_->library = handle_;
    destroy_later(unload_.release());
}

std::string LoadedLibrary::log() const {
    return log_ ? std::string(log_->text) : std::string();
}

std::vector<std::pair<driver::CUkernel, std::string>> LoadedLibrary::kernels() const {
    std::vector<driver::CUkernel> handles(check(driver::cuLibraryGetKernelCount(handle_)));
    if (handles.empty()) return {};  // the driver rejects an empty array
    check(driver::cuLibraryEnumerateKernels(handles.data(), static_cast<unsigned int>(handles.size()), handle_));
    std::vector<std::pair<driver::CUkernel, std::string>> kernels;
    for (const driver::CUkernel kernel : handles) kernels.emplace_back(kernel, check(driver::cuKernelGetName(kernel)));
    return kernels;
}

std::vector<std::string> LoadedLibrary::kernel_names() const try {
    std::vector<std::string> names;
    for (auto& [handle, name] : kernels()) names.push_back(std::move(name));
    return names;
} catch (const Error&) {
    return {};
}

}  // namespace CUBIND_NAMESPACE::detail
