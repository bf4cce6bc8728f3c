// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

/// Times products of a sparse matrix and a vector through math::SparseProduct and through function pointers of cuSPARSE, with the
/// same stream and memory. benchmarks/math_cost runs this program and compares the times; alternate.hpp has its options.

#include <cubind/core.hpp>
#include <cubind/cusparse/loading.hpp>
#include <cubind/cusparse/types.hpp>
#include <cubind/library.hpp>
#include <cubind/math_sparse.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iterator>
#include <string>
#include <vector>

#include "../alternate.hpp"
#include "../device_time.hpp"
#include "../plain.hpp"

namespace {

using namespace cubind;
using namespace cubind::cusparse;

void expect(cusparseStatus_t status) {
    if (status != CUSPARSE_STATUS_SUCCESS) [[unlikely]]
        std::abort();
}

void* address_of(const auto& buffer) {
    return reinterpret_cast<void*>(buffer.native_handle());
}

/// The five-point operator on a grid.
struct Matrix {
    Matrix(const Stream& stream, int side) : rows(side * side) {
        std::vector<int> host_offsets{0}, host_columns;
        for (int i = 0; i < rows; ++i) {
            for (const int j : {i - side, i - 1, i, i + 1, i + side})
                if (j >= 0 && j < rows) host_columns.push_back(j);
            host_offsets.push_back(static_cast<int>(host_columns.size()));
        }
        const Device device = stream.device();
        offsets = device.allocate<int>(stream, host_offsets.size());
        columns = device.allocate<int>(stream, host_columns.size());
        values = device.allocate<float>(stream, host_columns.size());
        x = device.allocate<float>(stream, static_cast<std::size_t>(rows));
        y = device.allocate<float>(stream, static_cast<std::size_t>(rows));
        copy(stream, offsets, host_offsets);
        copy(stream, columns, host_columns);
        values.fill(stream, 1.0f);
        x.fill(stream, 1.0f);
        stream.synchronize();
    }
    int rows;
    TypedBuffer<int> offsets, columns;
    TypedBuffer<float> values, x, y;
};

/// The same product by calls of the library.
class PlainProduct {
public:
    PlainProduct(const Stream& stream, const Matrix& matrix) : matrix_(matrix) {
        const auto entries = static_cast<std::int64_t>(matrix.values.count());
        expect(plain<cusparseStatus_t(cusparseHandle_t*)>(library(), "cusparseCreate")(&handle_));
        expect(plain<cusparseStatus_t(cusparseHandle_t, cudaStream_t)>(library(), "cusparseSetStream")(
            handle_, reinterpret_cast<cudaStream_t>(stream.native_handle())));
        using Create = cusparseStatus_t(cusparseSpMatDescr_t*, std::int64_t, std::int64_t, std::int64_t, void*, void*, void*,
                                        cusparseIndexType_t, cusparseIndexType_t, cusparseIndexBase_t, cudaDataType);
        expect(plain<Create>(library(), "cusparseCreateCsr")(
            &a_, matrix.rows, matrix.rows, entries, address_of(matrix.offsets), address_of(matrix.columns),
            address_of(matrix.values), CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F));
        using CreateVector = cusparseStatus_t(cusparseDnVecDescr_t*, std::int64_t, void*, cudaDataType);
        expect(plain<CreateVector>(library(), "cusparseCreateDnVec")(&x_, matrix.rows, address_of(matrix.x), CUDA_R_32F));
        expect(plain<CreateVector>(library(), "cusparseCreateDnVec")(&y_, matrix.rows, address_of(matrix.y), CUDA_R_32F));
        using Size = cusparseStatus_t(cusparseHandle_t, cusparseOperation_t, const void*, cusparseConstSpMatDescr_t,
                                      cusparseConstDnVecDescr_t, const void*, cusparseDnVecDescr_t, cudaDataType,
                                      cusparseSpMVAlg_t, std::size_t*);
        std::size_t size = 0;
        expect(plain<Size>(library(), "cusparseSpMV_bufferSize")(handle_, CUSPARSE_OPERATION_NON_TRANSPOSE, &one_, a_, x_, &zero_,
                                                                 y_, CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT, &size));
        memory_ = stream.device().allocate<std::byte>(stream, size + 1);
        multiply(plain<Multiply>(library(), "cusparseSpMV_preprocess"));
    }

    void operator()() {
        using Set = cusparseStatus_t(cusparseDnVecDescr_t, void*);
        static auto* const set = plain<Set>(library(), "cusparseDnVecSetValues");
        expect(set(x_, address_of(matrix_.x)));
        expect(set(y_, address_of(matrix_.y)));
        static auto* const product = plain<Multiply>(library(), "cusparseSpMV");
        multiply(product);
    }

private:
    using Multiply = cusparseStatus_t(cusparseHandle_t, cusparseOperation_t, const void*, cusparseConstSpMatDescr_t,
                                      cusparseConstDnVecDescr_t, const void*, cusparseDnVecDescr_t, cudaDataType,
                                      cusparseSpMVAlg_t, void*);
    void multiply(Multiply* function) {
        expect(function(handle_, CUSPARSE_OPERATION_NON_TRANSPOSE, &one_, a_, x_, &zero_, y_, CUDA_R_32F,
                        CUSPARSE_SPMV_ALG_DEFAULT, address_of(memory_)));
    }

    const Matrix& matrix_;
    const float one_ = 1, zero_ = 0;
    cusparseHandle_t handle_ = nullptr;
    cusparseSpMatDescr_t a_ = nullptr;
    cusparseDnVecDescr_t x_ = nullptr, y_ = nullptr;
    TypedBuffer<std::byte> memory_;
};

int run(int argc, char** argv) {
    Alternation calls(argc, argv);
    Device device;
    device.set_current();  // the library uses the current context
    static Stream stream(device);
    constexpr int repeats = 50;
    static std::vector<Matrix> matrices;
    static std::vector<math::SparseProduct> products;
    static std::vector<PlainProduct> plain_products;
    constexpr int sides[] = {64, 1024, 4096};
    matrices.reserve(std::size(sides));  // plain products refer to them
    for (const int side : sides) {
        const Matrix& matrix = matrices.emplace_back(stream, side);
        products.emplace_back(stream,
                              math::SparseMatrix::csr({matrix.rows, matrix.rows}, matrix.offsets, matrix.columns, matrix.values),
                              matrix.x, matrix.y);
        plain_products.emplace_back(stream, matrix);
        const std::size_t index = matrices.size() - 1;
        const auto plain_call = [=] { plain_products[index](); };
        const auto call = [=] { products[index](stream, matrices[index].x, matrices[index].y); };
        const std::string name = "device time of a product, " + std::to_string(matrix.rows) + " rows";
        calls.add_timed(name, "plain", [=] { return device_time(stream, repeats, plain_call); });
        calls.add_timed(name, "cubind", [=] { return device_time(stream, repeats, call); });
        if (side != sides[0]) continue;
        const auto wait = [] { stream.synchronize(); };
        calls.add("host time of a product", "plain", 256, plain_call, wait);
        calls.add("host time of a product", "cubind", 256, call, wait);
    }
    return calls.run();
}

}  // namespace

int main(int argc, char** argv) try {
    if (library_path(cusparse::library()) == nullptr || Device::count() == 0) {
        std::fprintf(stderr, "cuSPARSE or a GPU is missing\n");
        return 77;
    }
    return run(argc, argv);
} catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 77;
}
