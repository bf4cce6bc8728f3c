// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Multiplies a sparse matrix by a vector with cuSPARSE, in the order of a stream, and compares each element with a sum on the
// host. The matrix is in compressed rows (CSR): the columns and the values of all entries, row by row, and the offset of each
// row.

#include <cubind/check.hpp>
#include <cubind/core.hpp>
#include <cubind/cusparse.hpp>
#include <cubind/library.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "address.hpp"
#include "example.hpp"

using namespace cubind;
using namespace cubind::cusparse;

namespace {

constexpr int rows = 1000, columns = 800;

struct HostMatrix {
    std::vector<int> offsets = {0};  // of the rows, and the number of entries
    std::vector<int> columns;
    std::vector<float> values;
};

// Row i has i % 6 entries, so that some rows are empty.
HostMatrix make_matrix() {
    HostMatrix matrix;
    for (int row = 0; row < rows; ++row) {
        for (int entry = 0; entry < row % 6; ++entry) {
            matrix.columns.push_back(row % 100 + 137 * entry);
            matrix.values.push_back(static_cast<float>((row + entry) % 7 - 3));
        }
        matrix.offsets.push_back(static_cast<int>(matrix.columns.size()));
    }
    return matrix;
}

struct DeviceMatrix {
    DeviceMatrix(const Device& device, const Stream& stream, const HostMatrix& host)
        : offsets(device.allocate<int>(stream, host.offsets.size())),
          indices(device.allocate<int>(stream, host.columns.size())),
          values(device.allocate<float>(stream, host.values.size())),
          handle(check(cusparseCreateCsr(rows, columns, static_cast<std::int64_t>(host.values.size()), example::address(offsets),
                                         example::address(indices), example::address(values), CUSPARSE_INDEX_32I,
                                         CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F))) {
        copy(stream, offsets, host.offsets);
        copy(stream, indices, host.columns);
        copy(stream, values, host.values);
    }
    ~DeviceMatrix() { (void)cusparseDestroySpMat(handle); }
    DeviceMatrix(const DeviceMatrix&) = delete;
    DeviceMatrix& operator=(const DeviceMatrix&) = delete;

    TypedBuffer<int> offsets, indices;
    TypedBuffer<float> values;
    cusparseSpMatDescr_t handle;
};

struct Vector {
    explicit Vector(const TypedBuffer<float>& buffer)
        : handle(check(cusparseCreateDnVec(static_cast<std::int64_t>(buffer.count()), example::address(buffer), CUDA_R_32F))) {}
    ~Vector() { (void)cusparseDestroyDnVec(handle); }
    Vector(const Vector&) = delete;
    Vector& operator=(const Vector&) = delete;
    cusparseDnVecDescr_t handle;
};

// Submits y = matrix * x to the stream.
void multiply(const Device& device, const Stream& stream, const DeviceMatrix& matrix, const TypedBuffer<float>& x,
              TypedBuffer<float>& y) {
    struct Library {
        cusparseHandle_t handle = check(cusparseCreate());
        ~Library() { (void)cusparseDestroy(handle); }
    } library;
    check(cusparseSetStream(library.handle, stream.native_handle()));
    const Vector input(x), output(y);
    const float alpha = 1, beta = 0;
    const std::size_t bytes =
        check(cusparseSpMV_bufferSize(library.handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &alpha, matrix.handle, input.handle,
                                      &beta, output.handle, CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT));
    const TypedBuffer<std::byte> workspace = device.allocate<std::byte>(stream, bytes > 0 ? bytes : 1);
    check(cusparseSpMV(library.handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &alpha, matrix.handle, input.handle, &beta,
                       output.handle, CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT, example::address(workspace)));
}

int sparse_product() {
    if (library_path(cusparse::library()) == nullptr)
        return example::skip("cuSPARSE, which is part of the toolkit, was not found.");
    Device device;
    device.set_current();  // cuSPARSE uses the current context
    const Stream stream(device);
    const HostMatrix host = make_matrix();
    std::vector<float> x(columns), product(rows);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i % 5) - 2;

    const DeviceMatrix matrix(device, stream, host);
    TypedBuffer<float> device_x = device.allocate<float>(stream, x.size());
    TypedBuffer<float> device_y = device.allocate<float>(stream, product.size());
    copy(stream, device_x, x);
    multiply(device, stream, matrix, device_x, device_y);
    copy(stream, product, device_y);
    stream.synchronize();

    // All numbers are small integers, so that float represents each sum exactly.
    bool right = true;
    for (std::size_t row = 0; row < product.size(); ++row) {
        float sum = 0;
        for (auto i = static_cast<std::size_t>(host.offsets[row]); i < static_cast<std::size_t>(host.offsets[row + 1]); ++i)
            sum += host.values[i] * x[static_cast<std::size_t>(host.columns[i])];
        right = right && product[row] == sum;
    }
    std::printf("%d x %d matrix with %zu entries times a vector\n", rows, columns, host.values.size());
    return example::verdict(right, "each element equals the sum on the host");
}

}  // namespace

int main() {
    return example::run(sparse_product);
}
