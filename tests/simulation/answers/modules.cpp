// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

#include "groups.hpp"

namespace answers {

namespace {

constexpr char wrong_code[] = ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry broken( { ret }";
constexpr char later_target[] = ".version 8.0\n.target sm_99\n.address_size 64\n.visible .entry nothing() { ret; }";
constexpr char no_code[] = "not code at all";

void ask_about_logs() {
    char log[512] = "";
    CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void* values[] = {log, reinterpret_cast<void*>(sizeof log)};
    ASK(cuModuleLoadDataEx(wrong_code, 2, options, values));
    REPORT(log[0] != '\0');
    ASK(cuModuleLoadDataEx(ptx, 0, nullptr, nullptr));
    ASK(cuModuleLoadDataEx(ptx, 2, nullptr, nullptr));
    options[0] = static_cast<CUjit_option>(999);
    ASK(cuModuleLoadDataEx(ptx, 1, options, values));
}

void ask_about_links() {
    ASK(cuLinkDestroy(nullptr));
    ASK(cuLinkComplete(nullptr));
    const CUlinkState empty = ASK(cuLinkCreate(0, nullptr, nullptr)).value;
    ASK(cuLinkComplete(empty));
    ASK(cuLinkDestroy(empty));
    const CUlinkState link = ASK(cuLinkCreate(0, nullptr, nullptr)).value;
    ASK(cuLinkAddData(link, CU_JIT_INPUT_PTX, const_cast<char*>(wrong_code), sizeof wrong_code, "wrong", 0, nullptr, nullptr));
    ASK(cuLinkAddData(link, CU_JIT_INPUT_PTX, nullptr, 10, "null", 0, nullptr, nullptr));
    ASK(cuLinkAddData(link, static_cast<CUjitInputType>(99), const_cast<char*>(ptx), 10, "kind", 0, nullptr, nullptr));
    ASK(cuLinkAddFile(link, CU_JIT_INPUT_PTX, "/nonexistent/file.ptx", 0, nullptr, nullptr));
    ASK(cuLinkDestroy(link));
    const CUlinkState good = ASK(cuLinkCreate(0, nullptr, nullptr)).value;
    const std::string text = ptx;
    ASK(cuLinkAddData(good, CU_JIT_INPUT_PTX, const_cast<char*>(ptx), text.size() + 1, "good", 0, nullptr, nullptr));
    ask("cuLinkComplete of one input", [&] { return cubind::Result<CUresult>{cuLinkComplete(good).status}; });
    ASK(cuLinkDestroy(good));
}

}  // namespace

void ask_about_modules() {
    use_device();
    const CUmodule module = ASK(cuModuleLoadData(ptx)).value;
    ASK(cuModuleLoadData(nullptr));
    ASK(cuModuleLoadData(wrong_code));
    ASK(cuModuleLoadData(no_code));
    ASK(cuModuleLoadData(""));
    ASK(cuModuleLoadData(later_target));
    ASK(cuModuleLoadFatBinary(ptx));
    ASK(cuModuleLoad("/nonexistent/file.ptx"));
    ASK(cuModuleLoad(nullptr));
    ASK(cuModuleLoad("/"));
    ASK(cuModuleGetLoadingMode());
    const CUfunction nothing = ASK(cuModuleGetFunction(module, "nothing")).value;
    REPORT(cuModuleGetFunction(module, "nothing").value == nothing);
    ASK(cuModuleGetFunction(module, "missing"));
    ASK(cuModuleGetFunction(module, ""));
    ASK(cuModuleGetFunction(module, "counter"));
    ASK(cuModuleGetFunction(module, nullptr));
    ASK(cuModuleGetFunction(nullptr, "nothing"));
    ASK(cuModuleGetGlobal(module, "counter"));
    ASK(cuModuleGetGlobal(module, "values"));
    ASK(cuModuleGetGlobal(module, "limit"));
    ASK(cuModuleGetGlobal(module, "missing"));
    ASK(cuModuleGetGlobal(module, "nothing"));
    ASK(cuModuleGetGlobal(module, nullptr));
    ASK(cuModuleGetGlobal(nullptr, "counter"));
    unsigned long long counter = 0;
    ASK(cuMemcpyDtoH(&counter, cuModuleGetGlobal(module, "counter").value1, sizeof counter));
    REPORT(static_cast<int>(counter));
    ASK(cuMemFree(cuModuleGetGlobal(module, "counter").value1));
    ASK(cuModuleGetFunctionCount(module));
    ASK(cuModuleGetFunctionCount(nullptr));
    CUfunction functions[5] = {};
    ASK(cuModuleEnumerateFunctions(functions, 3, module));
    ASK(cuModuleEnumerateFunctions(functions, 5, module));
    REPORT(functions[3]);
    ASK(cuModuleEnumerateFunctions(functions, 0, module));
    ASK(cuModuleEnumerateFunctions(nullptr, 3, module));
    ask_about_logs();
    ask_about_links();
    ASK(cuModuleUnload(module));
    ASK(cuModuleUnload(nullptr));
}

void ask_about_libraries() {
    use_device();
    const CUlibrary library = ASK(cuLibraryLoadData(ptx, nullptr, nullptr, 0, nullptr, nullptr, 0)).value;
    ASK(cuLibraryLoadData(nullptr, nullptr, nullptr, 0, nullptr, nullptr, 0));
    ASK(cuLibraryLoadData(wrong_code, nullptr, nullptr, 0, nullptr, nullptr, 0));
    ASK(cuLibraryLoadData(no_code, nullptr, nullptr, 0, nullptr, nullptr, 0));
    ASK(cuLibraryLoadFromFile("/nonexistent/file.ptx", nullptr, nullptr, 0, nullptr, nullptr, 0));
    ASK(cuLibraryLoadFromFile(nullptr, nullptr, nullptr, 0, nullptr, nullptr, 0));
    const CUkernel kernel = ASK(cuLibraryGetKernel(library, "two")).value;
    ASK(cuLibraryGetKernel(library, "missing"));
    ASK(cuLibraryGetKernel(library, nullptr));
    ASK(cuLibraryGetKernel(nullptr, "two"));
    ASK(cuLibraryGetKernelCount(library));
    ASK(cuLibraryGetKernelCount(nullptr));
    CUkernel kernels[4] = {};
    ASK(cuLibraryEnumerateKernels(kernels, 3, library));
    ASK(cuLibraryEnumerateKernels(kernels, 4, library));
    ASK(cuLibraryEnumerateKernels(nullptr, 3, library));
    ASK(cuLibraryEnumerateKernels(kernels, 0, library));
    ASK(cuLibraryGetModule(library));
    ASK(cuLibraryGetModule(nullptr));
    ASK(cuLibraryGetGlobal(library, "counter"));
    ASK(cuLibraryGetGlobal(library, "missing"));
    ASK(cuLibraryGetGlobal(library, nullptr));
    ASK(cuLibraryGetManaged(library, "counter"));
    ASK(cuLibraryGetManaged(library, "missing"));
    ASK(cuLibraryGetUnifiedFunction(library, "nothing"));
    ASK(cuKernelGetFunction(kernel));
    ASK(cuKernelGetFunction(nullptr));
    REPORT(cuKernelGetLibrary(kernel).value == library);
    ASK(cuKernelGetLibrary(nullptr));
    ASK(cuKernelGetName(kernel));
    ASK(cuKernelGetName(nullptr));
    ASK(cuKernelGetParamCount(kernel));
    ASK(cuKernelGetParamInfo(kernel, 0));
    ASK(cuKernelGetParamInfo(kernel, 1));
    ASK(cuKernelGetParamInfo(kernel, 2));
    ASK(cuKernelGetParamInfo(nullptr, 0));
    for (int i = 0; i <= 16; ++i) {
        const auto attribute = static_cast<CUfunction_attribute>(i);
        ask(("cuKernelGetAttribute " + std::to_string(i)).c_str(), [&] { return cuKernelGetAttribute(attribute, kernel, 0); });
    }
    ASK(cuKernelGetAttribute(CU_FUNC_ATTRIBUTE_NUM_REGS, kernel, 99));
    ASK(cuKernelGetAttribute(CU_FUNC_ATTRIBUTE_NUM_REGS, nullptr, 0));
    ASK(cuKernelSetAttribute(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 65536, kernel, 0));
    ASK(cuKernelSetAttribute(CU_FUNC_ATTRIBUTE_NUM_REGS, 1, kernel, 0));
    ASK(cuKernelSetAttribute(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 65536, kernel, 99));
    ASK(cuKernelSetCacheConfig(kernel, CU_FUNC_CACHE_PREFER_L1, 0));
    ASK(cuKernelSetCacheConfig(kernel, static_cast<CUfunc_cache>(9), 0));
    const auto as_function = reinterpret_cast<CUfunction>(kernel);
    ASK(cuLaunchKernel(as_function, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr));
    ASK(cuCtxSynchronize());
    ASK(cuLibraryUnload(library));
    ASK(cuLibraryUnload(nullptr));
}

}  // namespace answers
