// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
// Views of sparse matrices, and what they refuse.
#include <cstdint>
#include <stdexcept>

#include "sparse_test.hpp"

namespace cubind::testing {
namespace {

using math::SparseFormat;
using math::SparseMatrix;
using ::testing::AllOf;
using ::testing::HasSubstr;

class SparseMatrixTest : public SparseTest {
protected:
    template <class Call>
    static void rejects(Call call, const auto& matcher) {
        EXPECT_THAT(message_of<std::invalid_argument>(call), matcher);
    }
};

TEST_F(SparseMatrixTest, StatesItsProperties) {
    const SparseMatrix a = csr();
    EXPECT_EQ(a.format(), SparseFormat::csr);
    EXPECT_EQ(a.shape(), (math::MatrixShape{3, 4}));
    EXPECT_EQ(a.entries(), 5);
    EXPECT_EQ(a.dtype(), data_type<float>);
    EXPECT_EQ(a.offsets().shape(), (Dimensions{4}));
    EXPECT_EQ(a.column_indices().dtype(), data_type<int>);
    EXPECT_EQ(to_string(a), "csr float32 3 x 4 with 5 entries");
    rejects([&] { static_cast<void>(a.row_indices()); }, HasSubstr("csr has none"));

    const auto rows = array<std::int64_t>("rows", 5);
    const SparseMatrix b = SparseMatrix::coo({3, 4}, rows, array<std::int64_t>("columns", 5), values_, {.first_index = 1});
    EXPECT_EQ(b.options().first_index, 1);
    EXPECT_EQ(b.row_indices().dtype(), data_type<std::int64_t>);
    rejects([&] { static_cast<void>(b.offsets()); }, HasSubstr("coo has none"));
    const SparseMatrix c = SparseMatrix::csc({4, 3}, offsets_, columns_, values_);
    EXPECT_EQ(c.rows(), 4);
    rejects([&] { static_cast<void>(c.column_indices()); }, HasSubstr("csc has none"));
    const SparseMatrix d = SparseMatrix::bsr({6, 6}, {2, 3}, offsets_, columns_, array<double>("blocks", 30));
    EXPECT_EQ(d.block(), (math::MatrixShape{2, 3}));
    EXPECT_EQ(d.entries(), 30);
}

TEST_F(SparseMatrixTest, TransposesWithoutCopies) {
    const SparseMatrix a = csr();
    EXPECT_EQ(a.transposed().shape(), (math::MatrixShape{4, 3}));
    EXPECT_TRUE(a.transposed().is_transposed());
    EXPECT_FALSE(a.transposed().transposed().is_transposed());
    EXPECT_TRUE(a.conjugate_transposed().is_transposed()) << "of real numbers";
    EXPECT_EQ(a.transposed().values().data(), a.values().data());
    const SparseMatrix b = SparseMatrix::csr({3, 4}, offsets_, columns_, array<std::complex<float>>("complex", 5));
    EXPECT_TRUE(b.conjugate_transposed().is_conjugated());
    EXPECT_FALSE(b.conjugate_transposed().conjugate_transposed().is_conjugated());
    rejects([&] { static_cast<void>(b.transposed().conjugate_transposed()); }, HasSubstr("complex64"));
    rejects([&] { static_cast<void>(b.conjugate_transposed().transposed()); }, HasSubstr("complex64"));
}

TEST_F(SparseMatrixTest, RetainsBuffers) {
    std::optional<SparseMatrix> a = csr();
    const void* const address = a->values().data();
    values_ = {};
    EXPECT_NE(a->values().owner(), nullptr);
    EXPECT_EQ(a->values().data(), address);
    const auto other = array<float>("other", 5);
    EXPECT_NE(a->with_values(other).values().data(), address);
    EXPECT_EQ(a->with_values(other).offsets().data(), a->offsets().data());
    rejects([&] { static_cast<void>(a->with_values(array<float>("short", 4))); }, AllOf(HasSubstr("4 elements"), HasSubstr("5")));
    rejects([&] { static_cast<void>(a->with_values(array<double>("wide", 5))); },
            AllOf(HasSubstr("float64"), HasSubstr("float32")));
}

TEST_F(SparseMatrixTest, RejectsWrongSizes) {
    rejects(
        [&] {
            static_cast<void>(SparseMatrix::csr({4, 4}, offsets_, columns_, values_));
        },
        AllOf(HasSubstr("offsets has 4"), HasSubstr("needs 5"), HasSubstr("4 rows")));
    rejects([&] { static_cast<void>(SparseMatrix::csc({4, 4}, offsets_, columns_, values_)); }, HasSubstr("4 columns"));
    rejects(
        [&] {
            static_cast<void>(SparseMatrix::csr({3, 4}, offsets_, columns_, array<float>("values", 6)));
        },
        AllOf(HasSubstr("values has 6"), HasSubstr("needs 5")));
    rejects(
        [&] {
            static_cast<void>(SparseMatrix::coo({3, 4}, offsets_, columns_, values_));
        },
        AllOf(HasSubstr("rows has 4"), HasSubstr("needs 5")));
    rejects(
        [&] {
            static_cast<void>(SparseMatrix::bsr({6, 5}, {2, 2}, offsets_, columns_, values_));
        },
        AllOf(HasSubstr("6 x 5"), HasSubstr("2 x 2")));
    rejects(
        [&] {
            static_cast<void>(SparseMatrix::bsr({6, 6}, {2, 2}, offsets_, columns_, values_));
        },
        AllOf(HasSubstr("values has 5"), HasSubstr("needs 20")));
    rejects([&] { static_cast<void>(SparseMatrix::csr({-1, 4}, offsets_, columns_, values_)); }, HasSubstr("negative"));
    rejects(
        [&] {
            static_cast<void>(SparseMatrix::csr({3, std::int64_t{1} << 31}, offsets_, columns_, values_));
        },
        AllOf(HasSubstr("2147483648"), HasSubstr("2147483647"), HasSubstr("int64")));
    rejects(
        [&] {
            static_cast<void>(SparseMatrix::csr({3, 4}, offsets_, columns_, values_, {.first_index = 2}));
        },
        AllOf(HasSubstr("first_index is 2"), HasSubstr("0 or 1")));
}

TEST_F(SparseMatrixTest, RejectsWrongArrays) {
    rejects(
        [&] {
            static_cast<void>(SparseMatrix::csr({3, 4}, array<float>("offsets", 4), columns_, values_));
        },
        AllOf(HasSubstr("offsets"), HasSubstr("float32"), HasSubstr("int32 or int64")));
    rejects(
        [&] {
            static_cast<void>(SparseMatrix::csr({3, 4}, offsets_, columns_, array<std::int8_t>("values", 5)));
        },
        AllOf(HasSubstr("int8"), HasSubstr("complex128")));
    rejects(
        [&] {
            static_cast<void>(SparseMatrix::coo({3, 4}, array<std::int64_t>("rows", 5), columns_, values_));
        },
        AllOf(HasSubstr("int64"), HasSubstr("int32")));
    const StridedView gaps = StridedView(array<float>("values", 10), {10}).slice(0, 0, 10, 2);
    rejects([&] { static_cast<void>(SparseMatrix::csr({3, 4}, offsets_, columns_, gaps)); }, HasSubstr("(2)"));
    const StridedView row(array<float>("values", 5), {1, 5});
    rejects([&] { static_cast<void>(SparseMatrix::csr({3, 4}, offsets_, columns_, row)); }, HasSubstr("2 dimensions"));
    std::vector<float> host(5);
    rejects(
        [&] {
            static_cast<void>(SparseMatrix::csr({3, 4}, offsets_, columns_, std::span<float>(host)));
        },
        AllOf(HasSubstr("values"), HasSubstr("cannot access")));
}

}  // namespace
}  // namespace cubind::testing
