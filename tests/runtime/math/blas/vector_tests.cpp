// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core.hpp>
#include <cubind/cublas/loading.hpp>
#include <cubind/cublas/types.hpp>
#include <cubind/math/vector.hpp>

#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "cublas_stand_in.hpp"
#include "library_file.hpp"
#include "math_test.hpp"

namespace cubind::testing {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class VectorTest : public CoreTest {
protected:
    static CublasStandIn& stand_in() { return cublas_stand_in(); }
    static const std::string& latest() { return stand_in().calls.back(); }
    template <class Element>
    TypedBuffer<Element> elements(std::size_t count) {
        return Device(0).allocate<Element>(stream_, count);
    }
    template <class Number>
    static void set_result(Number number) {
        stand_in().result.resize(sizeof number);
        std::memcpy(stand_in().result.data(), &number, sizeof number);
    }
    static void* address(const auto& buffer) { return reinterpret_cast<void*>(buffer.native_handle()); }

    ScopedCublasStandIn scoped_;
    Stream stream_{Device(0)};
};

TEST_F(VectorTest, PassesVectorsAndResults) {
    const auto x = elements<float>(12), y = elements<float>(6), result = elements<float>(1);
    math::dot(stream_, StridedView(x, {6}, {2}), y, result);
    EXPECT_EQ(latest(), "cublasDotEx_64 n=6 x=0 incx=2 y=0 incy=1 result=0 execution=0 mode=device");
    EXPECT_THAT(stand_in().addresses, ElementsAre(address(x), address(y), address(result)));
    math::nrm2(stream_, y, result);
    EXPECT_EQ(latest(), "cublasNrm2Ex_64 n=6 x=0 incx=1 result=0 execution=0 mode=device");
    math::axpy(stream_, 0.5, y, StridedView(x, {6}, {2}));
    EXPECT_EQ(latest(), "cublasAxpyEx_64 n=6 alpha=0 x=0 incx=1 y=0 incy=2 execution=0 mode=host");
    EXPECT_EQ(stand_in().alpha, 0.5);
    math::scal(stream_, -2, y);
    EXPECT_EQ(latest(), "cublasScalEx_64 n=6 alpha=0 x=0 incx=1 execution=0 mode=host");
    EXPECT_EQ(stand_in().alpha, -2.0);
}

TEST_F(VectorTest, KnowsTheTypesOfCublas) {
    struct Case {
        DataType type;
        int element, execution, norm;
    };
    const auto buffer = elements<std::byte>(1024);
    for (const auto& [type, element, execution, norm] :
         {Case{DataType::float16(), 2, 0, 2}, Case{DataType::bfloat16(), 14, 0, 14}, Case{data_type<float>, 0, 0, 0},
          Case{data_type<double>, 1, 1, 1}, Case{data_type<std::complex<float>>, 4, 4, 0},
          Case{data_type<std::complex<double>>, 5, 5, 1}}) {
        const StridedView x(buffer.bytes(), type, {4}), y = x;
        const StridedView all(buffer.bytes(), type, {32});
        const StridedView result = all.slice(0, 16, 17);
        const std::string number = std::to_string(element), computed = std::to_string(execution), real = std::to_string(norm);
        math::vdot(stream_, x, y, result);
        EXPECT_EQ(latest(), (type.kind == DataTypeKind::complex ? "cublasDotcEx_64" : "cublasDotEx_64") + (" n=4 x=" + number) +
                                " incx=1 y=" + number + " incy=1 result=" + number + " execution=" + computed + " mode=device");
        math::scal(stream_, 2, x);
        EXPECT_EQ(latest(),
                  "cublasScalEx_64 n=4 alpha=" + computed + " x=" + number + " incx=1 execution=" + computed + " mode=host");
        DataType norm_type = type;
        if (type.kind == DataTypeKind::complex)
            norm_type = {DataTypeKind::floating_point, static_cast<std::uint8_t>(type.bits / 2), 1};
        const StridedView norms(buffer.bytes(), norm_type, {64});
        math::nrm2(stream_, x, norms.slice(0, 60, 61));
        EXPECT_EQ(latest(), "cublasNrm2Ex_64 n=4 x=" + number + " incx=1 result=" + real +
                                " execution=" + (norm == element ? computed : real) + " mode=device");
    }
}

TEST_F(VectorTest, ReturnsReductionsToTheHost) {
    const auto x = elements<float>(4);
    set_result(2.5f);
    EXPECT_EQ(math::dot_to_host(stream_, x, x), 2.5);
    EXPECT_THAT(latest(), HasSubstr("mode=host"));
    EXPECT_EQ(math::nrm2_to_host(stream_, x), 2.5);
    const auto z = elements<std::complex<double>>(4);
    set_result(std::complex<double>(1, -2));
    EXPECT_EQ(math::vdot_to_host(stream_, z, z), std::complex<double>(1, -2));
    const auto bytes = elements<std::byte>(64);
    const StridedView half(bytes.bytes(), DataType::float16(), {4});
    set_result(std::uint16_t{0xc248});  // -3.140625
    EXPECT_EQ(math::dot_to_host(stream_, half, half), -3.140625);
    set_result(std::uint16_t{0x0001});
    EXPECT_EQ(math::dot_to_host(stream_, half, half), 0x1p-24);
    set_result(std::uint16_t{0x7c00});
    EXPECT_EQ(math::nrm2_to_host(stream_, half), HUGE_VAL);
    const StridedView brain(bytes.bytes(), DataType::bfloat16(), {4});
    set_result(std::uint16_t{0x4049});
    EXPECT_EQ(math::nrm2_to_host(stream_, brain), 3.140625);
}

TEST_F(VectorTest, WritesZeroForNoElements) {
    const auto x = elements<float>(4);
    auto result = elements<float>(1);
    result.fill(stream_, 7.0f);
    const StridedView none = StridedView(x, {4}).slice(0, 0, 0);
    math::dot(stream_, none, none, result);
    EXPECT_EQ(result.get(stream_, 0), 0.0f);
    result.fill(stream_, 7.0f);
    math::nrm2(stream_, none, result);
    EXPECT_EQ(result.get(stream_, 0), 0.0f);
    math::axpy(stream_, 1, none, none);
    math::scal(stream_, 1, none);
    EXPECT_EQ(math::dot_to_host(stream_, none, none), 0.0);
    EXPECT_EQ(math::nrm2_to_host(stream_, none), 0.0);
    EXPECT_TRUE(stand_in().calls.empty());
}

TEST_F(VectorTest, KeepsAHandleForEachStream) {
    const auto x = elements<float>(4);
    Stream other{Device(0)};
    for (int i = 0; i < 3; ++i) {
        math::scal(stream_, 2, x);
        math::scal(other, 2, x);
    }
    EXPECT_EQ(stand_in().handles, 2);
    std::vector<const void*> streams;
    for (const auto& [handle, stream] : stand_in().streams) streams.push_back(stream);
    EXPECT_THAT(streams, ::testing::UnorderedElementsAre(stream_.native_handle(), other.native_handle()));
}

TEST_F(VectorTest, RefusesOperandsThatDoNotFit) {
    const auto x = elements<float>(4), y = elements<float>(5), result = elements<float>(2);
    const auto d = elements<double>(4);
    const auto message = [](const auto& call) { return message_of<std::invalid_argument>(call); };
    EXPECT_THAT(message([&] { math::axpy(stream_, 1, x, y); }), AllOf(HasSubstr("(4)"), HasSubstr("(5)")));
    EXPECT_THAT(message([&] { math::axpy(stream_, 1, x, d); }), AllOf(HasSubstr("float64"), HasSubstr("float32")));
    EXPECT_THAT(message([&] { math::axpy(stream_, {std::complex<double>(1, 2)}, x, x); }), HasSubstr("imaginary"));
    EXPECT_THAT(message([&] { math::axpy(stream_, 1, x, x); }), HasSubstr("overlap"));
    EXPECT_THAT(message([&] { math::dot(stream_, x, x, result); }), AllOf(HasSubstr("(2)"), HasSubstr("one element")));
    EXPECT_THAT(message([&] { math::dot(stream_, x, x, d); }), AllOf(HasSubstr("float64"), HasSubstr("float32")));
    EXPECT_THAT(message([&] { math::dot(stream_, StridedView(x, {2, 2}), x, result); }), HasSubstr("2 dimensions"));
    EXPECT_THAT(message([&] { math::scal(stream_, 1, StridedView(x, {4}).reverse(0)); }),
                AllOf(HasSubstr("(-1)"), HasSubstr("positive")));
    EXPECT_THAT(message([&] { (void)math::nrm2_to_host(stream_, StridedView(x, {1}).broadcast_to({4})); }),
                HasSubstr("positive"));
    EXPECT_THAT(message([&] { math::scal(stream_, 1, StridedView(x, {4}).as_readonly()); }), HasSubstr("read-only"));
    EXPECT_THAT(message([&] { math::scal(stream_, 1, elements<int>(4)); }), AllOf(HasSubstr("int32"), HasSubstr("float16")));
    const Stream elsewhere{Device(1)};
    EXPECT_THAT(message([&] { math::scal(elsewhere, 1, x); }), AllOf(HasSubstr("device 0"), HasSubstr("device 1")));
    EXPECT_TRUE(stand_in().calls.empty());
}

TEST_F(VectorTest, CapturesOutputsAndRefusesToWait) {
    const auto result = elements<float>(1);
    std::optional<Graph> graph;
    {
        const auto x = elements<float>(4);
        GraphBuilder builder(Device(0));
        builder.begin_building();
        math::dot(builder, x, x, result);
        EXPECT_THAT(message_of<std::invalid_argument>([&] { (void)math::dot_to_host(builder, x, x); }), HasSubstr("captured"));
        graph = builder.end_building().complete();
    }
    EXPECT_THAT(latest(), HasSubstr("cublasDotEx_64"));
}

TEST_F(VectorTest, StatesFailures) {
    const auto x = elements<float>(4);
    math::scal(stream_, 1, x);
    stand_in().next_status = cublas::CUBLAS_STATUS_EXECUTION_FAILED;
    const std::string message = message_of<Error>([&] { math::scal(stream_, 1, x); });
    EXPECT_THAT(message, AllOf(HasSubstr("cublasScalEx_64"), HasSubstr("CUBLAS_STATUS_EXECUTION_FAILED"), HasSubstr("scal"),
                               HasSubstr("compute-sanitizer")));
    stand_in().status_of_create = cublas::CUBLAS_STATUS_ALLOC_FAILED;
    const Stream other{Device(0)};
    EXPECT_THAT(message_of<OutOfMemory>([&] { math::scal(other, 1, x); }), HasSubstr("Free memory"));
    stand_in().status_of_create = 0;
    stand_in().status_of_stream = cublas::CUBLAS_STATUS_NOT_INITIALIZED;
    EXPECT_THAT(message_of<Error>([&] { math::scal(other, 1, x); }), HasSubstr("cublasSetStream"));
    EXPECT_EQ(stand_in().handles, 1);
}

TEST_F(VectorTest, LeaksNothingWhereACallFails) {
    const auto x = elements<float>(4), y = elements<float>(4), result = elements<float>(1);
    set_result(1.0f);
    const Stream& stream = stream_;  // its handle is kept
    EXPECT_GT(sweep([&] {
                  math::dot(stream, x, y, result);
                  math::nrm2(stream, x, result);
                  math::axpy(stream, 2, x, y);
                  math::scal(stream, 2, x);
                  (void)math::dot_to_host(stream, x, y);
              }),
              8u);
}

using VectorLibraryTest = CoreTest;

TEST_F(VectorLibraryTest, NamesTheMissingLibraryAndItsPackage) {
    const Stream stream{Device(0)};
    const auto x = Device(0).allocate<float>(stream, 4);
    EXPECT_THAT(message_with_file(cublas::library(), cublas::all_entry_points(), "CUBIND_CUBLAS_LIBRARY",
                                  "/nonexistent/libcublas.so.13", [&] { math::scal(stream, 2, x); }),
                AllOf(HasSubstr("/nonexistent/libcublas.so.13"), HasSubstr("Install the Python package nvidia-cublas")));
}

}  // namespace
}  // namespace cubind::testing
