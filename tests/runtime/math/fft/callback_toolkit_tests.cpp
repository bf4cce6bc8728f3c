// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
// Callbacks that NVRTC compiles. A kernel that declares them as cuFFT does is linked with them, and runs on a simulated device.
#include <cubind/cufft/types.hpp>

#include <complex>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "fft_test.hpp"
#include "toolkit_test.hpp"

namespace cubind::testing {
namespace {

class FftCallbackToolkitTest : public ToolkitTest {
protected:
    ~FftCallbackToolkitTest() override { EXPECT_EQ(stand_in().handles, 0); }

    static CufftStandIn& stand_in() { return cufft_stand_in(); }
    static std::string refused(const math::FftOptions& options) {
        return message_of<std::invalid_argument>([&] { make(c64, c64, 4, 4, options); });
    }
    static void make(DataType input, DataType output, std::int64_t from, std::int64_t to, const math::FftOptions& options) {
        const Stream stream{Device()};
        { const math::Fft transform(stream, view_at(0x10000, input, {from}), view_at(0x20000, output, {to}), options); }
        stream.synchronize();
    }

    /// Runs a kernel that loads or stores four elements with the callbacks, and returns the elements.
    template <class Element>
    static std::vector<Element> run(const char* body, const std::vector<Element>& input) {
        const std::string source = std::string(R"(
            __device__ float2 cubind_fft_load(void*, unsigned long long, void*, void*);
            __device__ void cubind_fft_store(void*, unsigned long long, ELEMENT, void*, void*);
            extern "C" __global__ void apply(ELEMENT* input, ELEMENT* output, void* data) { )") +
                                   body + " }";
        std::vector<ObjectCode> objects;
        const std::string arch = "sm_" + Device().arch();
        const char* const element = sizeof(Element) == 4 ? "float" : sizeof(Element) == 8 ? "float2" : "double2";
        Program program(source, {.arch = arch, .link_time_optimization = true, .define_macro = {{"ELEMENT", element}}});
        objects.push_back(program.compile(CodeType::lto_ir));
        for (const auto& each : stand_in().callbacks) objects.push_back(ObjectCode::from_bytes(CodeType::lto_ir, each.code));
        Linker linker(objects, {.arch = arch});
        Kernel kernel = linker.link(CodeType::ptx).kernel("apply");
        const Stream stream{Device()};
        auto from = Device().allocate<Element>(stream, 4), to = Device().allocate<Element>(stream, 4);
        copy(stream, from, input);
        to.fill(stream, std::byte{0});
        launch(stream, {.grid = 1, .block = 4}, kernel, from, to,
               reinterpret_cast<driver::CUdeviceptr>(stand_in().callbacks.back().data));
        std::vector<Element> result(4);
        copy(stream, result, to);
        stream.synchronize();
        return result;
    }

private:
    ScopedCufftStandIn stand_in_;
};

using Complex = std::complex<float>;

TEST_F(FftCallbackToolkitTest, LoadsWithDataOfTheUser) {
    const Stream stream{Device()};
    auto window = Device().allocate<float>(stream, 4);
    const std::vector<float> weights = {1, 2, 3, 4};
    copy(stream, window, weights);
    make(c64, c64, 4, 4,
         {.load = {.source = R"(__device__ float2 windowed(const float2* input, unsigned long long i, const float* window) {
                       return {input[i].x * window[i], -input[i].y};
                   })",
                   .function = "windowed",
                   .data = window}});
    ASSERT_EQ(stand_in().callbacks.size(), 1u);
    EXPECT_EQ(stand_in().callbacks[0].symbol, "cubind_fft_load");
    EXPECT_EQ(stand_in().callbacks[0].type, cufft::CUFFT_CB_LD_COMPLEX);
    EXPECT_EQ(reinterpret_cast<driver::CUdeviceptr>(stand_in().callbacks[0].data), window.native_handle());
    EXPECT_THAT((run<Complex>("output[threadIdx.x] = cubind_fft_load(input, threadIdx.x, data, nullptr);",
                              {{1, 1}, {1, 2}, {1, 3}, {1, 4}})),
                ElementsAre(Complex(1, -1), Complex(2, -2), Complex(3, -3), Complex(4, -4)));
}

TEST_F(FftCallbackToolkitTest, ScalesWhatItStores) {
    make(c64, c64, 4, 4, {.scale = 0.25});
    ASSERT_EQ(stand_in().callbacks.size(), 1u);
    EXPECT_EQ(stand_in().callbacks[0].symbol, "cubind_fft_store");
    EXPECT_EQ(stand_in().callbacks[0].type, cufft::CUFFT_CB_ST_COMPLEX);
    EXPECT_THAT((run<Complex>("cubind_fft_store(output, threadIdx.x, input[threadIdx.x], data, nullptr);",
                              {{4, 8}, {-4, 0}, {1, 1}, {0, 2}})),
                ElementsAre(Complex(1, 2), Complex(-1, 0), Complex(0.25, 0.25), Complex(0, 0.5)));
    stand_in() = {};
    make(c64, f32, 3, 4, {.scale = -1.0 / 3});
    EXPECT_EQ(stand_in().callbacks[0].type, cufft::CUFFT_CB_ST_REAL);
    EXPECT_THAT((run<float>("cubind_fft_store(output, threadIdx.x, input[threadIdx.x], data, nullptr);", {3, -3, 0, 1})),
                ElementsAre(-1, 1, 0, -1.0f / 3));
    stand_in() = {};
    make(f64, c128, 4, 3, {.scale = 1e-300});
    EXPECT_EQ(stand_in().callbacks[0].type, cufft::CUFFT_CB_ST_COMPLEX_DOUBLE);
    using Double = std::complex<double>;
    EXPECT_THAT(
        (run<Double>("cubind_fft_store(output, threadIdx.x, input[threadIdx.x], data, nullptr);", {{1e300, 2e300}, {}, {}, {}})),
        ElementsAre(Double(1e300 * 1e-300, 2e300 * 1e-300), Double(), Double(), Double()));
}

TEST_F(FftCallbackToolkitTest, StoresWithAFunctionAfterTheScale) {
    make(c64, c64, 4, 4,
         {.scale = 2,
          .store = {"__device__ void reversed(float2* output, unsigned long long i, float2 value) { output[3 - i] = value; }",
                    "reversed"}});
    EXPECT_EQ(stand_in().callbacks[0].data, nullptr);
    EXPECT_THAT((run<Complex>("cubind_fft_store(output, threadIdx.x, input[threadIdx.x], data, nullptr);",
                              {{1, 0}, {2, 0}, {3, 0}, {4, 0}})),
                ElementsAre(Complex(8, 0), Complex(6, 0), Complex(4, 0), Complex(2, 0)));
}

TEST_F(FftCallbackToolkitTest, LinksStaticFunctionsOfOneNameTwice) {
    make(f32, c64, 4, 3,
         {.load = {"static __device__ float f(const float* input, unsigned long long i) { return input[i]; }", "f"},
          .store = {"static __device__ void f(float2* output, unsigned long long i, float2 value) { output[i] = value; }", "f"}});
    ASSERT_EQ(stand_in().callbacks.size(), 2u);
    EXPECT_EQ(stand_in().callbacks[0].type, cufft::CUFFT_CB_LD_REAL);
    EXPECT_EQ(stand_in().callbacks[1].type, cufft::CUFFT_CB_ST_COMPLEX);
    stand_in() = {};
    make(f64, c128, 4, 3, {.load = {"__device__ double f(const double* input, unsigned long long i) { return input[i]; }", "f"}});
    EXPECT_EQ(stand_in().callbacks[0].type, cufft::CUFFT_CB_LD_REAL_DOUBLE);
    stand_in() = {};
    make(c128, f64, 3, 4,
         {.scale = 2, .load = {"__device__ double2 f(const double2* input, unsigned long long i) { return input[i]; }", "f"}});
    EXPECT_EQ(stand_in().callbacks[0].type, cufft::CUFFT_CB_LD_COMPLEX_DOUBLE);
    EXPECT_EQ(stand_in().callbacks[1].type, cufft::CUFFT_CB_ST_REAL_DOUBLE);
}

TEST_F(FftCallbackToolkitTest, ReportsWrongCallbacks) {
    EXPECT_THAT(refused({.load = {.source = "x"}}), AllOf(HasSubstr("FftOptions::load"), HasSubstr("no function")));
    EXPECT_THAT(refused({.store = {.function = "f"}}), AllOf(HasSubstr("FftOptions::store"), HasSubstr("no source")));
    EXPECT_THAT(refused({.scale = 1e308 * 10}), HasSubstr("finite"));
    try {
        make(c64, c64, 4, 4, {.load = {"__device__ float2 f(const float2* input) { return input[0]; }", "f"}});
        ADD_FAILURE() << "a function with too few parameters was accepted";
    } catch (const CompileError& error) {
        FailedCalls::get().forget();
        EXPECT_THAT(error.log(), HasSubstr("too many arguments"));
    }
    stand_in().failing = "cufftXtSetJITCallback";
    stand_in().next_status = cufft::CUFFT_NVJITLINK_FAILURE;
    EXPECT_THAT(message_of<Error>([] { make(c64, c64, 4, 4, {.scale = 2}); }),
                AllOf(HasSubstr("CUFFT_NVJITLINK_FAILURE"), HasSubstr("nvidia-nvjitlink")));
    std::vector<float> host(4);
    EXPECT_THAT(refused({.load = {"x", "f", StridedView({.data = host.data(), .dtype = f32, .shape = {4}})}}),
                AllOf(HasSubstr("load.data"), HasSubstr("pageable")));
}

}  // namespace
}  // namespace cubind::testing
