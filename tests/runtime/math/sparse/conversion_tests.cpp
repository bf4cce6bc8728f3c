// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
// What cuSPARSE receives for conversions.
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "sparse_test.hpp"

namespace cubind::testing {
namespace {

using math::convert;
using math::SparseFormat;
using math::SparseMatrix;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

class SparseConversionTest : public SparseTest {
protected:
    template <class Call>
    static void rejects(Call call, const auto& matcher) {
        EXPECT_THAT(message_of<std::invalid_argument>(call), matcher);
    }
};

TEST_F(SparseConversionTest, WritesDenseMatrices) {
    const auto dense = array<float>("dense", 12);
    math::to_dense(stream_, csr(), StridedView(dense, {3, 4}));
    EXPECT_EQ(calls().back(),
              "SparseToDense(csr(3, 4, 5, offsets, columns, values, 2, 2, 0, 0), matrix(3, 4, 4, dense, 0, 2), 0, memory)");
    math::to_dense(stream_, csr().transposed(), StridedView(dense, {4, 3}));  // rows of the result are columns of the matrix
    EXPECT_EQ(calls().back(),
              "SparseToDense(csr(3, 4, 5, offsets, columns, values, 2, 2, 0, 0), matrix(3, 4, 3, dense, 0, 1), 0, memory)");
    rejects([&] { math::to_dense(stream_, csr(), StridedView(dense, {4, 3})); }, AllOf(HasSubstr("(4, 3)"), HasSubstr("(3, 4)")));
    rejects([&] { math::to_dense(stream_, csr(), dense); }, HasSubstr("1 dimensions"));
    GraphBuilder builder{Device(0)};
    builder.begin_building();
    math::to_dense(builder, csr(), StridedView(dense, {3, 4}));
    builder.end_building();
}

TEST_F(SparseConversionTest, FindsEntriesOfDenseMatrices) {
    const auto buffer = array<double>("dense", 12);
    const StridedView dense(buffer, {3, 4});
    record().entries = 6;
    const SparseMatrix a = math::to_sparse(stream_, dense);
    EXPECT_EQ(to_string(a), "csr float64 3 x 4 with 6 entries");
    EXPECT_THAT(record().latest("DenseToSparse_analysis("),
                AllOf(StartsWith("DenseToSparse_analysis(matrix(3, 4, 4, dense, 1, 2), csr(3, 4, 0, memory, 0, 0, 2, 2, 0, 1)"),
                      HasSubstr("0, memory)")));
    EXPECT_THAT(calls().back(), StartsWith("DenseToSparse_convert("));
    const SparseMatrix b =
        math::to_sparse(stream_, dense, {.format = SparseFormat::coo, .indices = data_type<std::int64_t>, .matrix = {1}});
    EXPECT_EQ(b.row_indices().size(), 6u);
    EXPECT_THAT(record().latest("DenseToSparse_analysis("), HasSubstr("coo(3, 4, 0, 0, 0, 0, 3, 1, 1)"));
    const SparseMatrix c = math::to_sparse(stream_, dense, {.format = SparseFormat::csc});
    EXPECT_EQ(c.offsets().size(), 5u);
    rejects([&] { static_cast<void>(math::to_sparse(stream_, dense, {.format = SparseFormat::bsr})); }, HasSubstr("bsr"));
    rejects([&] { static_cast<void>(math::to_sparse(stream_, dense, {.indices = data_type<float>})); }, HasSubstr("float32"));
    const auto numbers = array<int>("numbers", 12);
    rejects([&] { static_cast<void>(math::to_sparse(stream_, StridedView(numbers, {3, 4}))); }, HasSubstr("int32"));
    GraphBuilder builder{Device(0)};
    builder.begin_building();
    rejects([&] { static_cast<void>(math::to_sparse(builder, dense)); }, HasSubstr("captured"));
    builder.end_building();
}

TEST_F(SparseConversionTest, ExchangesRowsAndColumns) {
    const SparseMatrix csc = convert(stream_, csr(), SparseFormat::csc);
    EXPECT_EQ(to_string(csc), "csc float32 3 x 4 with 5 entries");
    EXPECT_EQ(csc.offsets().size(), 5u);
    EXPECT_EQ(calls().back(), "Csr2cscEx2(3, 4, 5, values, offsets, columns, 0, 1, 0, 1, memory)");
    const SparseMatrix source = SparseMatrix::csc({4, 3}, offsets_, columns_, values_, {.first_index = 1});
    const SparseMatrix rows = convert(stream_, source, SparseFormat::csr);
    EXPECT_EQ(to_string(rows), "csr float32 4 x 3 with 5 entries");
    EXPECT_EQ(rows.options().first_index, 1);
    EXPECT_EQ(calls().back(), "Csr2cscEx2(3, 4, 5, values, offsets, columns, 0, 1, 1, 1, memory)");
}

TEST_F(SparseConversionTest, ExpandsAndCompressesRows) {
    const SparseMatrix a = csr();
    const SparseMatrix coo = convert(stream_, a, SparseFormat::coo);
    EXPECT_EQ(calls().back(), "Xcsr2coo(offsets, 5, 3, memory, 0)");
    EXPECT_EQ(coo.values().data(), a.values().data()) << "shared";
    EXPECT_EQ(coo.column_indices().data(), a.column_indices().data());
    const auto rows = array<int>("rows", 5);
    const SparseMatrix b = SparseMatrix::coo({3, 4}, rows, columns_, values_);
    const SparseMatrix back = convert(stream_, b, SparseFormat::csr);
    EXPECT_EQ(calls().back(), "Xcoo2csr(rows, 5, 3, memory, 0)");
    EXPECT_EQ(back.offsets().size(), 4u);
    calls().clear();
    EXPECT_EQ(convert(stream_, b, SparseFormat::csc).format(), SparseFormat::csc);
    EXPECT_EQ(record().count("Xcoo2csr") + record().count("Csr2cscEx2("), 2);
    const SparseMatrix c = SparseMatrix::csc({4, 3}, offsets_, columns_, values_);
    calls().clear();
    EXPECT_EQ(convert(stream_, c, SparseFormat::coo).format(), SparseFormat::coo);
    EXPECT_THAT(calls().back(), StartsWith("Xcsr2coo("));
}

TEST_F(SparseConversionTest, StoresTranspositions) {
    const SparseMatrix a = csr();
    const SparseMatrix csc = convert(stream_, a.transposed(), SparseFormat::csc);
    EXPECT_EQ(to_string(csc), "csc float32 4 x 3 with 5 entries");
    EXPECT_EQ(csc.offsets().data(), a.offsets().data()) << "the same arrays";
    EXPECT_THAT(record().count("Csr2cscEx2"), 0);
    EXPECT_EQ(to_string(convert(stream_, a.transposed(), SparseFormat::csr)), "csr float32 4 x 3 with 5 entries");
    const auto rows = array<int>("rows", 5);
    const SparseMatrix coo = SparseMatrix::coo({3, 4}, rows, columns_, values_);
    EXPECT_EQ(to_string(convert(stream_, coo.transposed(), SparseFormat::coo)), "coo float32 4 x 3 with 5 entries");
    calls().clear();
    EXPECT_EQ(convert(stream_, a, SparseFormat::csr).values().data(), a.values().data());
    EXPECT_THAT(calls(), IsEmpty());
}

TEST_F(SparseConversionTest, CreatesEmptyMatrices) {
    const SparseMatrix empty = SparseMatrix::csr({3, 4}, offsets_, array<int>("none", 0), array<float>("nothing", 0), {1});
    const SparseMatrix csc = convert(stream_, empty, SparseFormat::csc);
    EXPECT_EQ(to_string(csc), "csc float32 3 x 4 with 0 entries");
    std::vector<int> found(5);
    copy(stream_, StridedView::view_of(found.data(), {5}), csc.offsets());
    stream_.synchronize();
    EXPECT_THAT(found, ::testing::Each(1));
    EXPECT_EQ(convert(stream_, empty.transposed(), SparseFormat::coo).shape(), (math::MatrixShape{4, 3}));
    EXPECT_THAT(calls(), IsEmpty());
    const auto dense = array<float>("dense", 12);
    EXPECT_EQ(math::to_sparse(stream_, StridedView(dense, {3, 4})).entries(), 0);
    EXPECT_THAT(record().latest("SetPointers("), HasSubstr(", memory, memory, memory)")) << "addresses that are not accessed";
    EXPECT_EQ(math::to_sparse(stream_, StridedView(dense, {3, 4}), {.format = SparseFormat::coo}).entries(), 0);
    EXPECT_EQ(record().count("DenseToSparse_convert"), 1);
}

TEST_F(SparseConversionTest, RejectsWhatCannotBeConverted) {
    const SparseMatrix blocks = SparseMatrix::bsr({3, 4}, {1, 1}, offsets_, columns_, values_);
    rejects([&] { static_cast<void>(convert(stream_, blocks, SparseFormat::csr)); }, HasSubstr("bsr"));
    rejects([&] { static_cast<void>(convert(stream_, csr(), SparseFormat::bsr)); }, HasSubstr("blocks"));
    const SparseMatrix wide = SparseMatrix::csr({3, 4}, array<std::int64_t>("o", 4), array<std::int64_t>("c", 5), values_);
    rejects([&] { static_cast<void>(convert(stream_, wide, SparseFormat::csc)); }, AllOf(HasSubstr("int64"), HasSubstr("int32")));
    const SparseMatrix complex = SparseMatrix::csr({3, 4}, offsets_, columns_, array<std::complex<float>>("z", 5));
    rejects([&] { static_cast<void>(convert(stream_, complex.conjugate_transposed(), SparseFormat::csr)); },
            HasSubstr("conjugate"));
    GraphBuilder builder{Device(0)};
    builder.begin_building();
    rejects([&] { static_cast<void>(convert(builder, csr(), SparseFormat::csc)); }, HasSubstr("captured"));
    builder.end_building();
}

}  // namespace
}  // namespace cubind::testing
