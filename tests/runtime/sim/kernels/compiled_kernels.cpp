// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "compiled_kernels.hpp"

#include <map>

namespace cubind::testing {

namespace nvrtc = cubind::nvrtc;

namespace {

std::string compile(const std::string& source, const std::vector<std::string>& options) {
    const nvrtc::nvrtcProgram program = nvrtc::nvrtcCreateProgram(source.c_str(), "kernels.cu", 0, nullptr, nullptr).value;
    std::vector<const char*> all;
    for (const std::string& option : options) all.push_back(option.c_str());
    const bool is_compiled = nvrtc::nvrtcCompileProgram(program, static_cast<int>(all.size()), all.data()).ok();
    std::string log(nvrtc::nvrtcGetProgramLogSize(program).value, '\0');
    (void)nvrtc::nvrtcGetProgramLog(program, log.data());
    EXPECT_TRUE(is_compiled) << log;
    std::string ptx(is_compiled ? nvrtc::nvrtcGetPTXSize(program).value : 0, '\0');
    if (is_compiled) {
        EXPECT_TRUE(nvrtc::nvrtcGetPTX(program, ptx.data()).ok());
    }
    (void)nvrtc::nvrtcDestroyProgram(program);
    return ptx;
}

// Tests of one program share their compilation.
const std::string& compile_once(const std::string& source, const std::vector<std::string>& options) {
    static std::map<std::pair<std::string, std::vector<std::string>>, std::string> all;
    std::string& ptx = all[{source, options}];
    if (ptx.empty()) ptx = compile(source, options);
    return ptx;
}

}  // namespace

void KernelsTest::SetUp() {
    if (!nvrtc::nvrtcVersion().ok()) GTEST_SKIP() << "NVRTC is not available";
    sim::install({.memory = std::size_t{1} << 30, .workers = GetParam().workers, .seed = GetParam().seed});
    ASSERT_EQ(cuInit(0).status, CUDA_SUCCESS);
    ASSERT_EQ(cuCtxCreate_v2(0, 0).status, CUDA_SUCCESS);
}

void KernelsTest::load(const std::string& source, std::vector<std::string> options) {
    options.insert(options.end(), {"-arch=compute_90", "-std=c++17"});
    if (is_fast()) options.push_back("-use_fast_math");
    ptx = compile_once(source, options);
    auto [status, loaded] = cuModuleLoadData(ptx.c_str());
    ASSERT_EQ(status, CUDA_SUCCESS);
    module = loaded;
}

CUfunction KernelsTest::function(const char* name) const {
    auto [status, found] = cuModuleGetFunction(module, name);
    EXPECT_EQ(status, CUDA_SUCCESS) << name;
    return found;
}

std::vector<Variant> variants() {
    return {{"Optimized", false, 1, 0}, {"FastMath", true, 1, 0}, {"Parallel", false, 4, 0}, {"Shuffled", false, 4, 20240607}};
}

std::string name_of_variant(const ::testing::TestParamInfo<Variant>& info) {
    return info.param.name;
}

}  // namespace cubind::testing
