// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
// Conversions of cuSPARSE on a GPU.
#include "sparse_gpu.hpp"

namespace cubind::testing {
namespace {

class SparseConversionGpuTest : public SparseGpuTest {
protected:
    static constexpr std::int64_t m = 45, n = 33;
    static constexpr SparseFormat formats[] = {SparseFormat::csr, SparseFormat::csc, SparseFormat::coo};
};

TEST_F(SparseConversionGpuTest, WritesAndReadsDenseMatrices) {
    for (const SparseFormat format : formats) {
        for (const DataType type : all_types) {
            for (const DataType index : {data_type<int>, data_type<std::int64_t>}) {
                for (const bool has_rows : {false, true}) {
                    const HostMatrix host = sparse(type, m, n);
                    const Dimensions strides = has_rows ? Dimensions{n + 2, 1} : Dimensions{1, m};
                    const GpuArray dense(*stream_, host.values, type, {m, n}, strides);
                    const SparseMatrix a = math::to_sparse(*stream_, dense.view(), {.format = format, .indices = index});
                    EXPECT_EQ(read(a).values, host.values) << to_string(a);
                    const GpuArray back(*stream_, {}, type, {m, n}, strides);
                    math::to_dense(*stream_, a, back.view());
                    EXPECT_EQ(back.values(*stream_), host.values) << to_string(a);
                    const GpuArray transposed(*stream_, {}, type, {n, m});
                    math::to_dense(*stream_, a.transposed(), transposed.view());
                    EXPECT_EQ(transposed.values(*stream_), transpose(host).values) << to_string(a);
                }
            }
        }
    }
    const GpuArray zeros(*stream_, {}, f32, {m, n});
    for (const SparseFormat format : formats) {
        const SparseMatrix empty = math::to_sparse(*stream_, zeros.view(), {.format = format});
        EXPECT_EQ(empty.entries(), 0);
        EXPECT_EQ(read(empty).values, HostMatrix(m, n).values) << to_string(empty);
        const GpuArray back(*stream_, std::vector<Number>(m * n, 1.0), f32, {m, n});
        math::to_dense(*stream_, empty, back.view());
        EXPECT_EQ(back.values(*stream_), HostMatrix(m, n).values) << to_string(empty);
        EXPECT_EQ(read(math::convert(*stream_, empty, SparseFormat::csc)).values, HostMatrix(m, n).values);
    }
}

TEST_F(SparseConversionGpuTest, ConvertsBetweenFormats) {
    for (const SparseFormat from : formats) {
        for (const SparseFormat to : formats) {
            for (const DataType type : all_types) {
                for (const int first : {0, 1}) {
                    const HostMatrix host = sparse(type, m, n);
                    const SparseMatrix source = uploaded(host, from, type, data_type<int>, first);
                    const SparseMatrix converted = math::convert(*stream_, source, to);
                    EXPECT_EQ(converted.format(), to);
                    EXPECT_EQ(read(converted).values, host.values) << to_string(source) << " to " << to_string(converted);
                    EXPECT_EQ(read(math::convert(*stream_, source.transposed(), to)).values, transpose(host).values)
                        << to_string(source) << ", transposed, to " << to_string(converted);
                }
            }
        }
    }
}

}  // namespace
}  // namespace cubind::testing
