// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "compiled_kernels.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <sstream>

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

// The driver of a GPU may be too old for the PTX of the installed NVRTC. The environment variable CUBIND_TEST_PTX therefore can
// name a folder with PTX of another NVRTC, which an earlier run on any machine has written.
std::string compile_or_read(const std::string& source, const std::vector<std::string>& options) {
    const char* const folder = std::getenv("CUBIND_TEST_PTX");
    if (folder == nullptr) return compile(source, options);
    std::string key = source;
    for (const std::string& option : options) {
        if (!option.starts_with("-I")) key += '\n' + option;  // folders differ from machine to machine
    }
    const std::filesystem::path file = std::filesystem::path(folder) / (std::to_string(std::hash<std::string>{}(key)) + ".ptx");
    if (std::ifstream stored(file); stored) return {std::istreambuf_iterator<char>(stored), {}};
    std::string ptx = compile(source, options);
    std::ofstream(file) << ptx;
    return ptx;
}

// Tests of one program share their compilation.
const std::string& compile_once(const std::string& source, const std::vector<std::string>& options) {
    static std::map<std::pair<std::string, std::vector<std::string>>, std::string> all;
    std::string& ptx = all[{source, options}];
    if (ptx.empty()) ptx = compile_or_read(source, options);
    return ptx;
}

// Information for debuggers contains paths of this machine. Comments number the calls of all programs that the process compiled.
std::string without_paths_and_comments(const std::string& ptx) {
    std::istringstream lines(ptx.substr(0, ptx.find("\n\t.section")));
    std::string rest, line;
    while (std::getline(lines, line)) {
        if (line.find(".file") == std::string::npos) rest += line.substr(0, line.find("//")) + '\n';
    }
    return rest;
}

// The file must be known before the first test starts.
[[maybe_unused]] const bool has_file = (RecordedResults::compare_with(CUBIND_RECORDED_RESULTS), true);

}  // namespace

void KernelsTest::SetUp() {
    if (!nvrtc::nvrtcVersion().ok()) GTEST_SKIP() << "NVRTC is not available";
    if (!uses_gpu()) sim::install({.memory = std::size_t{1} << 30, .workers = GetParam().workers, .seed = GetParam().seed});
    ASSERT_EQ(cuInit(0).status, CUDA_SUCCESS);
    ASSERT_EQ(cuCtxCreate_v2(0, 0).status, CUDA_SUCCESS);
}

void KernelsTest::TearDown() {
    if (!uses_gpu()) sim::uninstall();
}

void KernelsTest::compile_for_test(const std::string& source, std::vector<std::string> options) {
    options.insert(options.end(), {"-arch=compute_90", "-std=c++17"});
    if (*GetParam().option != '\0') options.push_back(GetParam().option);
    ptx = compile_once(source, options);
    RecordedResults::add_input(without_paths_and_comments(ptx));
}

void KernelsTest::load(const std::string& source, std::vector<std::string> options) {
    compile_for_test(source, std::move(options));
    auto [status, loaded] = cuModuleLoadData(ptx.c_str());
    ASSERT_EQ(status, CUDA_SUCCESS);
    module = loaded;
}

void KernelsTest::load_with_device_runtime(const std::string& source) {
    compile_for_test(source, {"-rdc=true"});
    const CUlinkState link = cuLinkCreate(0, nullptr, nullptr).value;
    ASSERT_EQ(cuLinkAddData(link, CU_JIT_INPUT_PTX, ptx.data(), ptx.size() + 1, "k", 0, nullptr, nullptr).status, CUDA_SUCCESS);
    const char* const library = std::getenv("CUBIND_TEST_DEVICE_RUNTIME");
    if (library != nullptr) {
        ASSERT_EQ(cuLinkAddFile(link, CU_JIT_INPUT_LIBRARY, library, 0, nullptr, nullptr).status, CUDA_SUCCESS);
    } else {
        // The simulation reads only the name of the object in the library.
        std::string archive = "!<arch>\ncuda_device_runtime.o/";
        ASSERT_EQ(cuLinkAddData(link, CU_JIT_INPUT_LIBRARY, archive.data(), archive.size(), "l", 0, nullptr, nullptr).status,
                  CUDA_SUCCESS);
    }
    const auto linked = cuLinkComplete(link);
    ASSERT_EQ(linked.status, CUDA_SUCCESS);
    auto [status, loaded] = cuModuleLoadData(linked.value1);
    ASSERT_EQ(status, CUDA_SUCCESS);
    module = loaded;
    EXPECT_EQ(cuLinkDestroy(link).status, CUDA_SUCCESS);
}

void KernelsTest::load_with_headers(const std::string& source, const std::string& header) {
    const char* const folder = std::getenv("CUBIND_CUDA_INCLUDE_DIR");
    if (folder == nullptr) GTEST_SKIP() << "CUBIND_CUDA_INCLUDE_DIR is not set";
    // The headers of CUB and libcu++ have a folder of their own since CUDA 13.
    const std::string folders[] = {folder, std::string(folder) + "/cccl"};
    const auto has_header = [&](const std::string& each) { return std::filesystem::exists(each + "/" + header); };
    if (!has_header(folders[0]) && !has_header(folders[1])) GTEST_SKIP() << "this release has no " << header;
    load(source, {"-I" + folders[0], "-I" + folders[1], "-w"});
}

CUfunction KernelsTest::function(const char* name) const {
    auto [status, found] = cuModuleGetFunction(module, name);
    EXPECT_EQ(status, CUDA_SUCCESS) << name;
    return found;
}

std::vector<Variant> variants() {
    return {{"Optimized", "", 1, 0},
            {"FastMath", "-use_fast_math", 1, 0},
            {"Debug", "-G", 1, 0},
            {"Parallel", "", 4, 0},
            {"Shuffled", "", 4, 20240607}};
}

std::string name_of_variant(const ::testing::TestParamInfo<Variant>& info) {
    return info.param.name;
}

}  // namespace cubind::testing
