// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// A symbol of libcuda.so.1 only: the linker of PTX for programs that link with nvJitLink, which needs no driver.
#include "shared/simulated_link.hpp"

#include "machine/machine.hpp"
#include "objects/module/linker.hpp"
#include "support/calls.hpp"

namespace CUBIND_NAMESPACE::sim {

using namespace driver;

namespace {

int link(const SimulatedLinkInput* inputs, std::size_t count, void (*receive)(void*, const char*, std::size_t, const char*),
         void* receiver) {
    const Device device(0, 0, machine().options);  // a link needs none of the machine's
    std::string log(1 << 14, '\0');
    CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void* values[] = {log.data(), reinterpret_cast<void*>(log.size())};
    Linker linker(nullptr, machine().code_target(), 2, options, values);
    CUresult status = CUDA_SUCCESS;
    for (std::size_t i = 0; i < count && status == CUDA_SUCCESS; ++i) {
        const SimulatedLinkInput& input = inputs[i];
        status = linker.add(static_cast<CUjitInputType>(input.type), {input.bytes, input.size}, input.name, device);
    }
    void* code = nullptr;
    std::size_t size = 0;
    if (status == CUDA_SUCCESS) status = linker.complete(&code, size);
    receive(receiver, status == CUDA_SUCCESS ? static_cast<const char*>(code) : "", status == CUDA_SUCCESS ? size : 0,
            log.c_str());
    return static_cast<int>(status);
}

}  // namespace

extern "C" {

[[gnu::visibility("default")]] SimulatedLink cubindSimulatedLink;

int cubindSimulatedLink(const SimulatedLinkInput* inputs, std::size_t count, std::size_t size,
                        void (*receive)(void*, const char*, std::size_t, const char*), void* receiver) noexcept {
    if (size != sizeof *inputs) return -1;
    const CallScope scope;
    try {
        return link(inputs, count, receive, receiver);
    } catch (...) {
        return -1;
    }
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim
