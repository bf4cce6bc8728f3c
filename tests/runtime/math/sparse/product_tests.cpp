// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
// What cuSPARSE receives for products with dense operands.
#include <cubind/cusparse/loading.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "library_file.hpp"
#include "sparse_test.hpp"

namespace cubind::testing {
namespace {

using math::multiply;
using math::SparseMatrix;
using math::SparseProduct;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

class SparseProductTest : public SparseTest {
protected:
    template <class Call>
    static void rejects(Call call, const auto& matcher) {
        EXPECT_THAT(message_of<std::invalid_argument>(call), matcher);
    }

    TypedBuffer<float> x_ = array<float>("x", 4);
    TypedBuffer<float> y_ = array<float>("y", 3);
};

TEST_F(SparseProductTest, MultipliesVectors) {
    multiply(stream_, csr(), x_, y_, 2.0, -1.0);
    // Types: 2 is int32 for indices, 0 is float32 for values and for the computation. No transposition, the default algorithm.
    EXPECT_EQ(
        record().latest("SpMV("),
        "SpMV(0, 2, csr(3, 4, 5, offsets, columns, values, 2, 2, 0, 0), vector(4, x, 0), -1, vector(3, y, 0), 0, 0, memory)");
    EXPECT_EQ(record().count("SpMV_preprocess"), 0);
    multiply(stream_, csr().transposed(), y_, x_);
    EXPECT_EQ(
        record().latest("SpMV("),
        "SpMV(1, 1, csr(3, 4, 5, offsets, columns, values, 2, 2, 0, 0), vector(3, y, 0), 0, vector(4, x, 0), 0, 0, memory)");
}

TEST_F(SparseProductTest, AcceptsAllFormatsAndTypes) {
    const auto rows = array<std::int64_t>("rows", 5);
    const auto wide = array<std::int64_t>("wide", 5);
    const auto numbers = array<std::complex<double>>("numbers", 5);
    const auto u = array<std::complex<double>>("u", 3);
    const auto v = array<std::complex<double>>("v", 4);
    const SparseMatrix coo = SparseMatrix::coo({3, 4}, rows, wide, numbers, {.first_index = 1});
    multiply(stream_, coo.conjugate_transposed(), u, v, std::complex<double>(1, 2));
    EXPECT_EQ(record().latest("SpMV("),
              "SpMV(2, 1+2i, coo(3, 4, 5, rows, wide, numbers, 3, 1, 5), vector(3, u, 5), 0, vector(4, v, 5), 5, 0, memory)");
    multiply(stream_, SparseMatrix::csc({4, 3}, offsets_, columns_, values_), y_, x_);
    EXPECT_THAT(record().latest("SpMV("), HasSubstr("csc(4, 3, 5, offsets, columns, values, 2, 2, 0, 0)"));
    const auto blocks = array<double>("blocks", 30);
    const auto p = array<double>("p", 6);
    const auto q = array<double>("q", 6);
    multiply(stream_, SparseMatrix::bsr({6, 6}, {2, 3}, offsets_, columns_, blocks, {.block_order = MemoryOrder::column_major}),
             p, q);
    EXPECT_THAT(record().latest("SpMV("), HasSubstr("bsr(3, 2, 5, 2, 3, offsets, columns, blocks, 2, 2, 0, 1, 1)"));
    // Halves are multiplied as float32, and the sum may be stored so.
    const StridedView half = halves("half", {5});
    multiply(stream_, SparseMatrix::csr({3, 4}, offsets_, columns_, half), halves("h", {4}), y_);
    EXPECT_THAT(record().latest("SpMV("), AllOf(HasSubstr("half, 2, 2, 0, 2)"), HasSubstr("vector(3, y, 0), 0, 0, memory)")));
}

TEST_F(SparseProductTest, MultipliesMatricesInBothOrders) {
    const auto x = array<float>("x", 20);
    const auto y = array<float>("y", 15);
    const StridedView x_rows(x, {4, 2}, {5, 1});
    const StridedView y_rows(y, {3, 2});
    const StridedView x_columns(x, {4, 2}, {1, 4});
    const StridedView y_columns(y, {3, 2}, {1, 5});
    multiply(stream_, csr(), x_rows, y_rows);  // order 2 is row-major
    EXPECT_THAT(record().latest("SpMM("), AllOf(StartsWith("SpMM(0, 0, 1, csr("), HasSubstr("matrix(4, 2, 5, x, 0, 2)"),
                                                HasSubstr("matrix(3, 2, 2, y, 0, 2)")));
    multiply(stream_, csr(), x_columns, y_columns);
    EXPECT_THAT(record().latest("SpMM("),
                AllOf(StartsWith("SpMM(0, 0, "), HasSubstr("matrix(4, 2, 4, x, 0, 1)"), HasSubstr("matrix(3, 2, 5, y, 0, 1)")));
    multiply(stream_, csr(), x_rows, y_columns);  // x as the transpose of its transpose
    EXPECT_THAT(record().latest("SpMM("),
                AllOf(StartsWith("SpMM(0, 1, "), HasSubstr("matrix(2, 4, 5, x, 0, 1)"), HasSubstr("matrix(3, 2, 5, y, 0, 1)")));
    multiply(stream_, csr(), StridedView(x, {4}, {3}), y_.span());  // a column of a matrix
    EXPECT_THAT(record().latest("SpMM("), AllOf(HasSubstr("matrix(4, 1, 3, x, 0, 2)"), HasSubstr("matrix(3, 1, 1, y, 0, 2)")));
}

TEST_F(SparseProductTest, MultipliesBatches) {
    const auto x = array<float>("x", 24);
    const auto y = array<float>("y", 24);
    multiply(stream_, csr(), StridedView(x, {3, 4, 2}), StridedView(y, {3, 3, 2}, {8, 2, 1}));
    EXPECT_THAT(calls(), ::testing::Contains("CsrSetStridedBatch(3, 0, 0)"));
    EXPECT_THAT(calls(), ::testing::Contains("DnMatSetStridedBatch(matrix(4, 2, 2, x, 0, 2), 3, 8)"));
    const auto rows = array<int>("rows", 5);
    multiply(stream_, SparseMatrix::coo({3, 4}, rows, columns_, values_), StridedView(x, {3, 4, 2}), StridedView(y, {3, 3, 2}));
    EXPECT_THAT(calls(), ::testing::Contains("CooSetStridedBatch(3, 0)"));
    const SparseMatrix csc = SparseMatrix::csc({4, 3}, offsets_, columns_, values_);
    rejects(
        [&] {
            multiply(stream_, csc, StridedView(x, {2, 3, 2}), StridedView(y, {2, 4, 2}));
        },
        AllOf(HasSubstr("csc"), HasSubstr("batches")));
}

TEST_F(SparseProductTest, PlansPreprocessOnceAndReuseTheirWorkspace) {
    SparseProduct product(stream_, csr(), x_, y_);
    EXPECT_EQ(product.workspace_size(), 1024u);
    EXPECT_EQ(product.matrix().entries(), 5);
    const auto other_x = array<float>("other x", 4);
    EXPECT_EQ(record().count("SpMV_preprocess"), 1);
    calls().clear();
    product(stream_, other_x, y_, 3.0);
    EXPECT_THAT(calls(), ::testing::ElementsAre("DnVecSetValues(other x)", "DnVecSetValues(y)", StartsWith("SpMV(0, 3, ")));
    product.set_values(array<float>("new values", 5));
    EXPECT_EQ(calls().back(), "SpMatSetValues(new values)");
    rejects([&] { product.set_values(array<float>("short", 4)); }, HasSubstr("4 elements"));
    SparseProduct moved = std::move(product);
    moved(stream_, x_, y_);
    EXPECT_EQ(record().count("SpMV_"), 0) << "neither sizes nor preprocessing";
}

TEST_F(SparseProductTest, ChoosesAlgorithms) {
    static_cast<void>(SparseProduct(stream_, csr(), x_, y_, {.deterministic = true}));
    EXPECT_THAT(record().latest("SpMV_preprocess("), HasSubstr(", 0, 3, memory)"));  // CUSPARSE_SPMV_CSR_ALG2
    const auto rows = array<int>("rows", 5);
    const SparseMatrix coo = SparseMatrix::coo({3, 4}, rows, columns_, values_);
    static_cast<void>(SparseProduct(stream_, coo, x_, y_, {.deterministic = true}));
    EXPECT_THAT(record().latest("SpMV_bufferSize("), HasSubstr(", 0, 4)"));  // CUSPARSE_SPMV_COO_ALG2
    EXPECT_EQ(record().count("SpMV_preprocess"), 1);
    const auto x = array<float>("x", 8);
    const auto y = array<float>("y", 6);
    static_cast<void>(SparseProduct(stream_, csr(), StridedView(x, {4, 2}), StridedView(y, {3, 2}), {.deterministic = true}));
    EXPECT_THAT(record().latest("SpMM_preprocess("), HasSubstr(", 0, 12, memory)"));  // CUSPARSE_SPMM_CSR_ALG3
    rejects([&] { SparseProduct(stream_, csr().transposed(), y_, x_, {.deterministic = true}); },
            AllOf(HasSubstr("transposed"), HasSubstr("deterministic")));
    rejects([&] { SparseProduct(stream_, csr(), x_, y_, {.plan = {.workspace_limit = 100}}); },
            AllOf(HasSubstr("1024"), HasSubstr("100")));
}

TEST_F(SparseProductTest, OrdersStreams) {
    SparseProduct product(stream_, csr(), x_, y_);
    const Stream second{Device(0)};
    product(second, x_, y_);
    product(stream_, x_, y_);
    EXPECT_EQ(record().count("SpMV("), 2);
    rejects([&] { product(other_stream_, x_, y_); }, AllOf(HasSubstr("device 1"), HasSubstr("device 0")));
}

TEST_F(SparseProductTest, ServesTwoThreads) {
    SparseProduct product(stream_, csr(), x_, y_);
    const auto other_x = array<float>("x of the thread", 4);
    const auto other_y = array<float>("y of the thread", 3);
    calls().clear();
    const auto repeat = [&](const Stream& stream, const TypedBuffer<float>& x, const TypedBuffer<float>& y) {
        for (int i = 0; i < 50; ++i) product(stream, x, y);
    };
    const Stream second{Device(0)};
    std::thread thread([&] { repeat(second, other_x, other_y); });
    repeat(stream_, x_, y_);
    thread.join();
    ASSERT_GE(calls().size(), 300u);
    std::erase_if(calls(), [](const std::string& call) { return call.starts_with("Create") || call.starts_with("SetStream"); });
    ASSERT_EQ(calls().size(), 300u);
    for (std::size_t i = 0; i < 300; i += 3) {  // the calls of one thread are not divided by those of the other
        const std::string of_thread = calls()[i].ends_with("thread)") ? " of the thread" : "";
        EXPECT_EQ(calls()[i], "DnVecSetValues(x" + of_thread + ")");
        EXPECT_EQ(calls()[i + 1], "DnVecSetValues(y" + of_thread + ")");
        EXPECT_THAT(calls()[i + 2], StartsWith("SpMV("));
    }
}

TEST_F(SparseProductTest, IsDestroyedWhileItsWorkRuns) {
    std::optional<SparseProduct> product(std::in_place, stream_, csr(), x_, y_);
    std::atomic<bool> is_released = false;
    stream_.launch_host_function([&] {
        while (!is_released) std::this_thread::yield();
    });
    (*product)(stream_, x_, y_);
    product.reset();
    EXPECT_FALSE(stream_.is_done()) << "the destructor waits for nothing";
    is_released = true;
    stream_.synchronize();
}

TEST_F(SparseProductTest, IsCaptured) {
    SparseProduct product(stream_, csr(), x_, y_);
    GraphBuilder builder{Device(0)};
    builder.begin_building();
    product(builder, x_, y_);
    multiply(builder, csr(), x_, y_);
    builder.end_building();
    EXPECT_EQ(record().count("SpMV("), 2);
    EXPECT_EQ(record().count("SpMV_preprocess"), 1) << "not in a graph";
    Graph graph = builder.complete();
    graph.launch(stream_);
    stream_.synchronize();
}

TEST_F(SparseProductTest, DoesNothingForEmptyResults) {
    const auto none = array<float>("none", 0);
    const SparseMatrix a = SparseMatrix::csr({0, 4}, array<int>("zero", 1), array<int>("no columns", 0), none);
    multiply(stream_, a, x_, none);
    const auto x = array<float>("x", 0);
    multiply(stream_, csr(), StridedView(x, {4, 0}), StridedView(x, {3, 0}));
    EXPECT_THAT(calls(), IsEmpty());
    // Without entries the library scales y; arrays without elements have an address that is not accessed.
    multiply(stream_, SparseMatrix::csr({3, 4}, offsets_, array<int>("no columns", 0), none), x_, y_, 1.0, 0.5);
    EXPECT_THAT(record().latest("SpMV("), AllOf(HasSubstr("csr(3, 4, 0, offsets, y, y, "), HasSubstr(", 0.5, ")));
    const SparseMatrix b = SparseMatrix::csr({3, 0}, offsets_, array<int>("no columns", 0), none);
    rejects([&] { multiply(stream_, b, none, y_); }, HasSubstr("beta y"));
}

TEST_F(SparseProductTest, RejectsOperandsThatDoNotFit) {
    rejects([&] { multiply(stream_, csr(), y_, y_); }, AllOf(HasSubstr("3 x 4"), HasSubstr("(3)"), HasSubstr("(4)")));
    rejects([&] { multiply(stream_, csr(), x_, x_); }, AllOf(HasSubstr("(4) and (3) are required")));
    const auto wide = array<double>("wide", 4);
    rejects([&] { multiply(stream_, csr(), wide, y_); }, AllOf(HasSubstr("x"), HasSubstr("float64"), HasSubstr("float32")));
    rejects([&] { multiply(stream_, csr(), x_, array<double>("wide", 3)); }, AllOf(HasSubstr("y"), HasSubstr("float64")));
    const auto many = array<float>("many", 24);
    rejects(
        [&] {
            multiply(stream_, csr(), StridedView(many, {4, 2}, {4, 2}), StridedView(many, {3, 2}));
        },
        AllOf(HasSubstr("(4, 2)"), HasSubstr("stride")));
    rejects([&] { multiply(stream_, csr(), StridedView(many, {4}).reverse(0), y_); }, HasSubstr("(-1)"));
    rejects([&] { multiply(stream_, csr(), x_, StridedView(many, {3, 1})); }, HasSubstr("2 dimensions"));
    rejects([&] { multiply(stream_, csr(), x_, y_, std::complex<float>(0, 1)); }, HasSubstr("alpha"));
    rejects([&] { multiply(stream_, csr(), x_, StridedView(y_, {3}).as_readonly()); }, HasSubstr("read-only"));
    rejects([&] { multiply(stream_, csr(), x_, array<float>("far", 3, 1)); },
            AllOf(HasSubstr("device 1"), HasSubstr("device 0")));
    rejects([&] { multiply(stream_, csr(), std::span<float>(static_cast<float*>(nullptr), 4), y_); }, HasSubstr("null"));
    std::vector<float> host(3);
    const StridedView pageable(StridedMemory{.data = host.data(), .dtype = data_type<float>, .shape = {3}});
    rejects([&] { multiply(stream_, csr(), x_, pageable); }, HasSubstr("pageable"));
}

TEST_F(SparseProductTest, RejectsOverlaps) {
    const auto both = array<float>("both", 7);
    const StridedView x(StridedView(both, {7}).slice(0, 0, 4));
    rejects([&] { multiply(stream_, csr(), x, StridedView(both, {7}).slice(0, 3, 6)); },
            AllOf(HasSubstr("y and x overlap"), HasSubstr("(4)"), HasSubstr("(3)")));
    SparseProduct product(stream_, csr(), x_, y_);
    rejects([&] { product(stream_, x_, StridedView(values_, {5}).slice(0, 0, 3)); }, HasSubstr("y and values overlap"));
}

TEST_F(SparseProductTest, RejectsOtherOperandsThanThoseOfThePlan) {
    const auto x = array<float>("x", 20);
    const auto y = array<float>("y", 15);
    SparseProduct product(stream_, csr(), StridedView(x, {4, 2}), StridedView(y, {3, 2}));
    rejects(
        [&] {
            product(stream_, StridedView(x, {4, 3}), StridedView(y, {3, 3}));
        },
        AllOf(HasSubstr("(4, 3)"), HasSubstr("(4, 2)")));
    rejects(
        [&] {
            product(stream_, StridedView(x, {4, 2}, {5, 1}), StridedView(y, {3, 2}));
        },
        AllOf(HasSubstr("(5, 1)"), HasSubstr("(2, 1)")));
}

TEST_F(SparseProductTest, ReportsRefusals) {
    record().statuses["SpMV_bufferSize"] = cusparse::CUSPARSE_STATUS_NOT_SUPPORTED;
    const std::string text = message_of<Error>([&] { multiply(stream_, csr(), x_, y_); });
    EXPECT_THAT(text, AllOf(HasSubstr("cusparseSpMV_bufferSize"), HasSubstr("CUSPARSE_STATUS_NOT_SUPPORTED"),
                            HasSubstr("csr float32 3 x 4 with 5 entries"), HasSubstr("x is float32 (4)"), HasSubstr("convert")));
    record().statuses = {{"SpMV", cusparse::CUSPARSE_STATUS_ALLOC_FAILED}};
    static_cast<void>(message_of<OutOfMemory>([&] { multiply(stream_, csr(), x_, y_); }));
}

TEST_F(SparseProductTest, MultipliesSparseMatrices) {
    const SparseMatrix a = csr();
    const SparseMatrix b = SparseMatrix::csr({4, 3}, array<int>("b offsets", 5), columns_, array<float>("b values", 5));
    record().entries = 7;
    const SparseMatrix c = multiply(stream_, a, b, 2.0);
    EXPECT_EQ(c.shape(), (math::MatrixShape{3, 3}));
    EXPECT_EQ(c.entries(), 7);
    EXPECT_NE(c.values().owner(), nullptr);
    const std::string first = "csr(3, 4, 5, offsets, columns, values, 2, 2, 0, 0), csr(4, 3, 5, b offsets, columns, b values, ";
    EXPECT_THAT(record().latest("SpGEMM_workEstimation("),
                AllOf(StartsWith("SpGEMM_workEstimation(0, 0, 2, " + first),
                      HasSubstr("csr(3, 3, 0, memory, 0, 0, 2, 2, 0, 0), 0, 0, 1024, memory)")));
    EXPECT_EQ(record().latest("SpGEMM_compute("), "SpGEMM_compute(2048, memory)");
    EXPECT_EQ(record().latest("SetPointers("), "SetPointers(csr(3, 3, 0, memory, 0, 0, 2, 2, 0, 0), memory, memory, memory)");
    EXPECT_EQ(calls().back(), "SpGEMM_copy()");
    rejects([&] { static_cast<void>(multiply(stream_, a, a)); }, AllOf(HasSubstr("3 x 4"), HasSubstr("row for each column")));
    rejects([&] { static_cast<void>(multiply(stream_, a.transposed(), b)); }, HasSubstr("a is csr"));
    const SparseMatrix wide = SparseMatrix::csr({4, 3}, array<int>("b offsets", 5), columns_, array<double>("b values", 5));
    rejects([&] { static_cast<void>(multiply(stream_, a, wide)); }, AllOf(HasSubstr("float64"), HasSubstr("float32")));
    GraphBuilder builder{Device(0)};
    builder.begin_building();
    rejects([&] { static_cast<void>(multiply(builder, a, b)); }, HasSubstr("captured"));
    builder.end_building();
}

TEST_F(SparseProductTest, ReturnsEmptyMatricesWithoutTheLibrary) {
    const auto none = array<double>("none", 0);
    const auto offsets = array<std::int64_t>("offsets", 4);
    const SparseMatrix empty = SparseMatrix::csr({3, 3}, offsets, array<std::int64_t>("no columns", 0), none, {.first_index = 1});
    const SparseMatrix product = multiply(stream_, empty, empty);
    EXPECT_EQ(product.entries(), 0);
    std::vector<std::int64_t> found(4);
    copy(stream_, StridedView::view_of(found.data(), {4}), product.offsets());
    stream_.synchronize();
    EXPECT_THAT(found, ::testing::Each(1));
    EXPECT_EQ(record().count("SpGEMM"), 0);
}

TEST_F(SparseProductTest, NamesTheMissingLibraryAndItsPackage) {
    const StridedView x(array<float>("x", 4), {4}), y(array<float>("y", 3), {3});
    EXPECT_THAT(message_with_file(cusparse::library(), cusparse::all_entry_points(), "CUBIND_CUSPARSE_LIBRARY",
                                  "/nonexistent/libcusparse.so.12", [&] { multiply(stream_, csr(), x, y); }),
                AllOf(HasSubstr("/nonexistent/libcusparse.so.12"), HasSubstr("Install the Python package nvidia-cusparse")));
}

}  // namespace
}  // namespace cubind::testing
