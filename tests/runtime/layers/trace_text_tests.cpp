// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/nvrtc.hpp>
#include <cubind/runtime.hpp>

#include <cstring>

#include "random_call.hpp"

namespace cubind::testing {
namespace {

class TraceTextTest : public StubbedTest {
protected:
    void SetUp() override {
        StubbedTest::SetUp();
        layers::trace::start({.memory = 1 << 20});
    }
    // Returns the line of the only call since the previous line().
    static std::string line() {
        const auto calls = traced_calls();
        layers::trace::clear();
        return calls.size() == 1 ? calls.front() : std::to_string(calls.size()) + " lines";
    }
    // Makes calls write a value to the target of the parameter.
    template <class Value>
    void write_result(std::size_t parameter, Value value, int status = 0) {
        stub.answer = [=](const cubind::Call& call) {
            std::memcpy(*static_cast<void**>(call.arguments[parameter]), &value, sizeof value);
            call.status() = status;
        };
    }
    void return_status(int status) {
        stub.answer = [=](const cubind::Call& call) { call.status() = status; };
    }
};

TEST_F(TraceTextTest, PrintsThreadTimesAndLibrary) {
    cuInit(0);
    EXPECT_THAT(layers::trace::recorded(),
                ::testing::MatchesRegex(
                    "\\[[0-9]+\\] +[0-9]+\\.[0-9]{6} s +[0-9]+\\.[0-9] us  driver cuInit\\(Flags=0\\) -> CUDA_SUCCESS\n"));
}

TEST_F(TraceTextTest, PrintsScalars) {
    write_result<CUdeviceptr>(0, 0x7f0000000200);
    cuMemAlloc(64);
    EXPECT_EQ(line(), "cuMemAlloc_v2(bytesize=64) -> CUDA_SUCCESS dptr=0x7f0000000200");
    write_result(0, 0.5f);
    cuEventElapsedTime_v2(handle<CUevent>(0x100), handle<CUevent>(0x200));
    EXPECT_EQ(line(), "cuEventElapsedTime_v2(hStart=0x100, hEnd=0x200) -> CUDA_SUCCESS pMilliseconds=0.5");
    write_result(0, -1);
    cuDeviceGetAttribute(CU_DEVICE_ATTRIBUTE_WARP_SIZE, 1);
    EXPECT_EQ(line(), "cuDeviceGetAttribute(attrib=CU_DEVICE_ATTRIBUTE_WARP_SIZE, dev=1) -> CUDA_SUCCESS pi=-1");
    cuDeviceGetAttribute(static_cast<CUdevice_attribute>(12345), 1);
    EXPECT_EQ(line(), "cuDeviceGetAttribute(attrib=12345, dev=1) -> CUDA_SUCCESS pi=-1");
}

TEST_F(TraceTextTest, PrintsHandlesAndNulls) {
    write_result(0, handle<CUstream>(0x5550));
    cuStreamCreate(CU_STREAM_NON_BLOCKING);
    EXPECT_EQ(line(), "cuStreamCreate(Flags=1) -> CUDA_SUCCESS phStream=0x5550");
    stub.answer = [](const cubind::Call&) {};
    cuStreamSynchronize(nullptr);
    EXPECT_EQ(line(), "cuStreamSynchronize(hStream=null) -> CUDA_SUCCESS");
    cuMemFree(0);
    EXPECT_EQ(line(), "cuMemFree_v2(dptr=0x0) -> CUDA_SUCCESS");
}

TEST_F(TraceTextTest, PrintsOnlyWrittenResultsOfFailedCalls) {
    return_status(CUDA_ERROR_OUT_OF_MEMORY);
    cuMemAlloc(64);
    EXPECT_EQ(line(), "cuMemAlloc_v2(bytesize=64) -> CUDA_ERROR_OUT_OF_MEMORY");
    write_result<CUdeviceptr>(0, 0x10, CUDA_ERROR_OUT_OF_MEMORY);
    cuMemAlloc(64);
    EXPECT_EQ(line(), "cuMemAlloc_v2(bytesize=64) -> CUDA_ERROR_OUT_OF_MEMORY dptr=0x10");
    return_status(54321);
    cuInit(0);
    EXPECT_EQ(line(), "cuInit(Flags=0) -> 54321");
}

TEST_F(TraceTextTest, PrintsRecords) {
    CUDA_MEMCPY2D copy{};
    copy.srcMemoryType = CU_MEMORYTYPE_HOST;
    copy.srcHost = handle<void*>(0x1230);
    copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
    copy.dstDevice = 0x4560;
    copy.WidthInBytes = 7;
    copy.Height = 2;
    cuMemcpy2D_v2(&copy);
    EXPECT_EQ(
        line(),
        "cuMemcpy2D_v2(pCopy={srcXInBytes=0, srcY=0, srcMemoryType=CU_MEMORYTYPE_HOST, srcHost=0x1230, srcDevice=0x0, "
        "srcArray=null, "
        "srcPitch=0, dstXInBytes=0, dstY=0, dstMemoryType=CU_MEMORYTYPE_DEVICE, dstHost=null, dstDevice=0x4560, dstArray=null, "
        "dstPitch=0, WidthInBytes=7, Height=2}) -> CUDA_SUCCESS");
    cuMemcpy2D_v2(nullptr);
    EXPECT_EQ(line(), "cuMemcpy2D_v2(pCopy=null) -> CUDA_SUCCESS");
}

TEST_F(TraceTextTest, PrintsNestedRecordsAndRecordsByValue) {
    cuMemAdvise_v2(0x10, 4, CU_MEM_ADVISE_SET_READ_MOSTLY, {.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = 1});
    const std::string location = line();
    EXPECT_THAT(location, ::testing::StartsWith("cuMemAdvise_v2(devPtr=0x10, count=4, advice=CU_MEM_ADVISE_SET_READ_MOSTLY, "
                                                "location={type=CU_MEM_LOCATION_TYPE_DEVICE"));
    EXPECT_THAT(location, HasSubstr("id=1"));
    CUmemPoolProps properties{};
    properties.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.handleTypes =
        static_cast<CUmemAllocationHandleType>(CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR | CU_MEM_HANDLE_TYPE_FABRIC);
    properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    cuMemPoolCreate(&properties);
    const std::string pool = line();
    EXPECT_THAT(pool, HasSubstr("{allocType=CU_MEM_ALLOCATION_TYPE_PINNED, "
                                "handleTypes=CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR|CU_MEM_HANDLE_TYPE_FABRIC, "
                                "location={type=CU_MEM_LOCATION_TYPE_DEVICE"));
    EXPECT_THAT(pool, ::testing::Not(HasSubstr("reserved"))) << "zero fields are omitted";
}

TEST_F(TraceTextTest, PrintsUnions) {
    CUstreamAttrValue value{};
    value.priority = -2;
    cuStreamSetAttribute(handle<CUstream>(0x20), CU_LAUNCH_ATTRIBUTE_PRIORITY, &value);
    const std::string text = line();
    EXPECT_THAT(text, HasSubstr("attr=CU_LAUNCH_ATTRIBUTE_PRIORITY, value={"));
    EXPECT_THAT(text, HasSubstr("priority=-2"));
    const CUstreamAttrValue zero{};
    cuStreamSetAttribute(handle<CUstream>(0x20), CU_LAUNCH_ATTRIBUTE_PRIORITY, &zero);
    EXPECT_EQ(line(), "cuStreamSetAttribute(hStream=0x20, attr=CU_LAUNCH_ATTRIBUTE_PRIORITY, value={}) -> CUDA_SUCCESS");
}

TEST_F(TraceTextTest, PrintsTheNamesOfKernels) {
    stub.passes_on = true;  // below the stub, handles are tracked
    const auto launched = [&](std::uintptr_t value) {
        stub.answer = [](const cubind::Call&) {};
        cuLaunchKernel(handle<CUfunction>(value), 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr);
        return line().substr(0, 24);
    };
    write_result(0, handle<CUfunction>(0x1000));
    cuModuleGetFunction(handle<CUmodule>(0x40), "saxpy");
    EXPECT_EQ(line(), "cuModuleGetFunction(hmod=0x40, name=\"saxpy\") -> CUDA_SUCCESS hfunc=0x1000");
    EXPECT_EQ(launched(0x1000), "cuLaunchKernel(f=saxpy, ");
    write_result(0, handle<CUkernel>(0x2000));
    cuLibraryGetKernel(handle<CUlibrary>(0x50), "scale");
    layers::trace::clear();
    EXPECT_EQ(launched(0x2000), "cuLaunchKernel(f=scale, ") << "a kernel in place of a function";
    write_result(0, handle<CUfunction>(0x3000));
    cuKernelGetFunction(handle<CUkernel>(0x2000));
    EXPECT_THAT(line(), ::testing::StartsWith("cuKernelGetFunction(kernel=scale)"));
    EXPECT_EQ(launched(0x3000), "cuLaunchKernel(f=scale, ");
    EXPECT_THAT(layers::trace::recorded(), IsEmpty());
    launched(0x1000);
    cuModuleUnload(handle<CUmodule>(0x40));
    layers::trace::clear();
    EXPECT_EQ(launched(0x1000), "cuLaunchKernel(f=0x1000,") << "the handle is not valid";
    cuLibraryUnload(handle<CUlibrary>(0x50));
    layers::trace::clear();
    EXPECT_EQ(launched(0x3000), "cuLaunchKernel(f=0x3000,");
    write_result(0, handle<CUfunction>(0x1000));
    cuModuleGetFunction(handle<CUmodule>(0x60), "other");
    layers::trace::clear();
    EXPECT_EQ(launched(0x1000), "cuLaunchKernel(f=other, ") << "the handle is reused";
}

TEST_F(TraceTextTest, PrintsTexts) {
    using namespace cubind::nvrtc;
    nvrtcCreateProgram("say \"hi\"\n\t\\ \x01\x7f \xc3\xa9 \xff \xe0\x80\x80", nullptr, 0, nullptr, nullptr);
    EXPECT_EQ(line(),
              "nvrtcCreateProgram(src=\"say \\\"hi\\\"\\n\\t\\\\ \\u0001\\u007f \xc3\xa9 \\u00ff \\u00e0\\u0080\\u0080\", "
              "name=null, numHeaders=0, "
              "headers=null, includeNames=null) -> NVRTC_SUCCESS prog=null");
    nvrtcCreateProgram(std::string(120, 'x').c_str(), std::string(121, 'y').c_str(), 0, nullptr, nullptr);
    EXPECT_EQ(line(), "nvrtcCreateProgram(src=\"" + std::string(120, 'x') + "\", name=\"" + std::string(120, 'y') +
                          "\"..., numHeaders=0, headers=null, includeNames=null) -> NVRTC_SUCCESS prog=null");
}

TEST_F(TraceTextTest, PrintsArraysOfTexts) {
    using namespace cubind::nvrtc;
    const char* const options[] = {"-arch=sm_90", nullptr, "a\nb", "4", "5", "6", "7", "8", "9", "10"};
    nvrtcCompileProgram(handle<nvrtcProgram>(0x30), 3, options);
    EXPECT_EQ(line(),
              "nvrtcCompileProgram(prog=0x30, numOptions=3, options=[\"-arch=sm_90\", null, \"a\\nb\"]) -> NVRTC_SUCCESS");
    nvrtcCompileProgram(handle<nvrtcProgram>(0x30), 10, options);
    EXPECT_EQ(
        line(),
        "nvrtcCompileProgram(prog=0x30, numOptions=10, options=[\"-arch=sm_90\", null, \"a\\nb\", \"4\", \"5\", \"6\", \"7\", "
        "\"8\", ... 2 more]) -> NVRTC_SUCCESS");
    nvrtcCompileProgram(handle<nvrtcProgram>(0x30), 0, options);
    EXPECT_EQ(line(), "nvrtcCompileProgram(prog=0x30, numOptions=0, options=[]) -> NVRTC_SUCCESS");
}

TEST_F(TraceTextTest, PrintsTextsThatCallsWrite) {
    stub.answer = [](const cubind::Call& call) { std::strcpy(*static_cast<char**>(call.arguments[0]), "GPU"); };
    char name[4];
    cuDeviceGetName(name, sizeof name, 0);
    const std::string text = line();
    EXPECT_THAT(text, HasSubstr("len=4, dev=0) -> CUDA_SUCCESS name=\"GPU\""));
    stub.answer = [](const cubind::Call& call) { std::memcpy(*static_cast<char**>(call.arguments[0]), "GPUX", 4); };
    cuDeviceGetName(name, sizeof name, 0);
    EXPECT_THAT(line(), HasSubstr("name=\"GPUX\"")) << "without a terminator";
    static const char* const error = "CUDA_ERROR_UNKNOWN";
    write_result(1, error);
    cuGetErrorName(CUDA_ERROR_UNKNOWN);
    EXPECT_EQ(line(), "cuGetErrorName(error=CUDA_ERROR_UNKNOWN) -> CUDA_SUCCESS pStr=\"CUDA_ERROR_UNKNOWN\"");
}

TEST_F(TraceTextTest, OmitsTextsAndArraysOfFailedCalls) {
    return_status(CUDA_ERROR_INVALID_VALUE);
    char name[] = "not written";
    cuDeviceGetName(name, -1, 0);
    EXPECT_THAT(line(), ::testing::EndsWith("len=-1, dev=0) -> CUDA_ERROR_INVALID_VALUE"));
    CUgraphNode nodes[] = {handle<CUgraphNode>(0x1)};
    cuGraphGetNodes(handle<CUgraph>(0x40), nodes, 1);
    EXPECT_THAT(line(), ::testing::EndsWith(" -> CUDA_ERROR_INVALID_VALUE numNodes=1"));
}

TEST_F(TraceTextTest, PrintsPointersThatCannotBeRead) {
    char* const end = reinterpret_cast<char*>(end_of_readable_memory());
    char address[32];
    std::snprintf(address, sizeof address, "%p", static_cast<void*>(end));
    cuDeviceGetByPCIBusId(end);
    EXPECT_EQ(line(), std::string("cuDeviceGetByPCIBusId(pciBusId=") + address + ") -> CUDA_SUCCESS dev=0");
    cuDeviceGetByPCIBusId(end - 1);
    EXPECT_EQ(line(), "cuDeviceGetByPCIBusId(pciBusId=\"x\"...) -> CUDA_SUCCESS dev=0");
    cuMemcpy2D_v2(reinterpret_cast<const CUDA_MEMCPY2D*>(end - 8));
    EXPECT_THAT(line(), ::testing::StartsWith("cuMemcpy2D_v2(pCopy=0x"));
    const char* const options[] = {"-G", end};
    cubind::nvrtc::nvrtcCompileProgram(handle<cubind::nvrtc::nvrtcProgram>(0x30), 2, options);
    EXPECT_THAT(line(), HasSubstr("options=[\"-G\", \"\"...]"));
    cubind::nvrtc::nvrtcCompileProgram(handle<cubind::nvrtc::nvrtcProgram>(0x30), -1, options);
    EXPECT_THAT(line(), HasSubstr("numOptions=-1, options=0x"));
}

TEST_F(TraceTextTest, PrintsArraysThatCallsWrite) {
    stub.answer = [](const cubind::Call& call) {
        for (std::uintptr_t index = 0; index < 2; ++index)
            (*static_cast<CUgraphNode**>(call.arguments[1]))[index] = handle<CUgraphNode>(0x100 + index);
        **static_cast<std::size_t**>(call.arguments[2]) = 2;
    };
    CUgraphNode nodes[3];
    cuGraphGetNodes(handle<CUgraph>(0x40), nodes, 3);
    EXPECT_THAT(line(), HasSubstr(" -> CUDA_SUCCESS nodes=[0x100, 0x101], numNodes=2"));
}

TEST_F(TraceTextTest, PrintsReturnValuesOtherThanAStatus) {
    stub.answer = [](const cubind::Call& call) { *static_cast<const char**>(call.returned) = "a \"text\""; };
    cubind::nvrtc::nvrtcGetErrorString(cubind::nvrtc::NVRTC_ERROR_COMPILATION);
    EXPECT_EQ(line(), "nvrtcGetErrorString(result=NVRTC_ERROR_COMPILATION) -> \"a \\\"text\\\"\"");
    stub.answer = [](const cubind::Call& call) { *static_cast<const char**>(call.returned) = nullptr; };
    cubind::nvrtc::nvrtcGetErrorString(cubind::nvrtc::NVRTC_ERROR_COMPILATION);
    EXPECT_EQ(line(), "nvrtcGetErrorString(result=NVRTC_ERROR_COMPILATION) -> null");
    stub.answer = [](const cubind::Call&) {};
    cubind::runtime::cudaCreateChannelDesc(8, 0, 0, 0, cubind::runtime::cudaChannelFormatKindFloat);
    EXPECT_EQ(line(),
              "cudaCreateChannelDesc(x=8, y=0, z=0, w=0, f=cudaChannelFormatKindFloat) -> {x=0, y=0, z=0, w=0, "
              "f=cudaChannelFormatKindSigned}");
}

}  // namespace
}  // namespace cubind::testing
