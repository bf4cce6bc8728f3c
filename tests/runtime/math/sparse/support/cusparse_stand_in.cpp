// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
// A cuSPARSE that records its arguments and computes nothing.
#include <cubind/cusparse/types.hpp>

#include <complex>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>

#include "sparse_record.hpp"
#include "unlimited_memory.hpp"

using cubind::testing::RecordedObject;

struct cusparseContext {
    std::string text = "handle";
};
struct cusparseSpMatDescr : RecordedObject {
    using RecordedObject::RecordedObject;
};
struct cusparseDnVecDescr : RecordedObject {
    using RecordedObject::RecordedObject;
};
struct cusparseDnMatDescr : RecordedObject {
    using RecordedObject::RecordedObject;
};
struct cusparseSpSVDescr : RecordedObject {
    using RecordedObject::RecordedObject;
};
struct cusparseSpSMDescr : RecordedObject {
    using RecordedObject::RecordedObject;
};
struct cusparseSpGEMMDescr : RecordedObject {
    using RecordedObject::RecordedObject;
};

namespace cubind::testing {

using namespace cusparse;

namespace {

using Functions = std::map<std::string, void*, std::less<>>;
using Handle = cusparseHandle_t;
using Operation = cusparseOperation_t;
using Type = cudaDataType;
using SpMat = ::cusparseSpMatDescr*;
using DnMat = ::cusparseDnMatDescr*;
using DnVec = ::cusparseDnVecDescr*;

template <class Function>
void add(Functions& functions, const std::string& symbol, Function function) {
    functions["cusparse" + symbol] = with_unlimited_memory(function, +function);
}

std::string scalar(const void* data, Type type) {
    char text[64];
    double real = 0, imaginary = 0;
    if (type == CUDA_R_32F || type == CUDA_C_32F) {
        float parts[2] = {};
        std::memcpy(parts, data, type == CUDA_R_32F ? 4 : 8);
        real = parts[0], imaginary = parts[1];
    } else {
        double parts[2] = {};
        std::memcpy(parts, data, type == CUDA_R_64F ? 8 : 16);
        real = parts[0], imaginary = parts[1];
    }
    std::snprintf(text, sizeof text, imaginary == 0 ? "%g" : "%g%+gi", real, imaginary);
    return text;
}

/// Creates an object whose text is that of the call, unless the call fails.
template <class Object, class... Arguments>
int created(Object** object, const std::string& function, const Arguments&... arguments) {
    const int status = recorded("Create" + function, arguments...);
    if (status == 0) *object = new Object(call_text(function, arguments...));
    return status;
}

template <class Object>
int destroyed(const Object* object) {
    delete object;
    return 0;
}

void set_size(std::size_t* size) {
    *size = sparse_record().workspace;
}

void add_objects(Functions& all) {
    add(all, "Create", [](Handle* handle) {
        static cusparseContext only;  // handles are pooled beyond the end of tests
        *handle = &only;
        return recorded("Create");
    });
    add(all, "Destroy", [](Handle) { return recorded("Destroy"); });
    add(all, "SetStream", [](Handle, cudaStream_t stream) { return recorded("SetStream", stream); });
    const auto csr = [](SpMat* made, std::int64_t m, std::int64_t n, std::int64_t nnz, void* offsets, void* indices, void* values,
                        cusparseIndexType_t first, cusparseIndexType_t second, cusparseIndexBase_t base, Type type) {
        return created(made, "csr", m, n, nnz, offsets, indices, values, first, second, base, type);
    };
    const auto csc = [](SpMat* made, std::int64_t m, std::int64_t n, std::int64_t nnz, void* offsets, void* indices, void* values,
                        cusparseIndexType_t first, cusparseIndexType_t second, cusparseIndexBase_t base, Type type) {
        return created(made, "csc", m, n, nnz, offsets, indices, values, first, second, base, type);
    };
    add(all, "CreateCsr", csr);
    add(all, "CreateCsc", csc);
    add(all, "CreateCoo",
        [](SpMat* made, std::int64_t m, std::int64_t n, std::int64_t nnz, void* rows, void* columns, void* values,
           cusparseIndexType_t index, cusparseIndexBase_t base,
           Type type) { return created(made, "coo", m, n, nnz, rows, columns, values, index, base, type); });
    add(all, "CreateBsr",
        [](SpMat* made, std::int64_t m, std::int64_t n, std::int64_t nnz, std::int64_t r, std::int64_t c, void* offsets,
           void* indices, void* values, cusparseIndexType_t first, cusparseIndexType_t second, cusparseIndexBase_t base,
           Type type, cusparseOrder_t order) {
            return created(made, "bsr", m, n, nnz, r, c, offsets, indices, values, first, second, base, type, order);
        });
    add(all, "DestroySpMat", [](const ::cusparseSpMatDescr* object) { return destroyed(object); });
    add(all, "CreateDnVec",
        [](DnVec* made, std::int64_t size, void* values, Type type) { return created(made, "vector", size, values, type); });
    add(all, "DestroyDnVec", [](const ::cusparseDnVecDescr* object) { return destroyed(object); });
    add(all, "CreateDnMat",
        [](DnMat* made, std::int64_t m, std::int64_t n, std::int64_t leading, void* values, Type type, cusparseOrder_t order) {
            return created(made, "matrix", m, n, leading, values, type, order);
        });
    add(all, "DestroyDnMat", [](const ::cusparseDnMatDescr* object) { return destroyed(object); });
    add(all, "DnVecSetValues", [](DnVec, void* values) { return recorded("DnVecSetValues", values); });
    add(all, "DnMatSetValues", [](DnMat, void* values) { return recorded("DnMatSetValues", values); });
    add(all, "DnMatSetStridedBatch",
        [](DnMat matrix, int count, std::int64_t stride) { return recorded("DnMatSetStridedBatch", matrix, count, stride); });
    add(all, "CsrSetStridedBatch", [](SpMat, int count, std::int64_t offsets, std::int64_t values) {
        return recorded("CsrSetStridedBatch", count, offsets, values);
    });
    add(all, "CooSetStridedBatch",
        [](SpMat, int count, std::int64_t stride) { return recorded("CooSetStridedBatch", count, stride); });
    add(all, "SpMatSetValues", [](SpMat, void* values) { return recorded("SpMatSetValues", values); });
    add(all, "SpMatSetAttribute", [](SpMat, cusparseSpMatAttribute_t attribute, void* value, std::size_t size) {
        int number = -1;
        std::memcpy(&number, value, size);
        return recorded("SpMatSetAttribute", attribute, number);
    });
    add(all, "SpMatGetSize", [](const ::cusparseSpMatDescr*, std::int64_t*, std::int64_t*, std::int64_t* entries) {
        *entries = sparse_record().entries;
        return recorded("SpMatGetSize");
    });
    for (const char* symbol : {"CsrSetPointers", "CscSetPointers", "CooSetPointers"}) {
        const auto set = [](SpMat matrix, void* major, void* minor, void* values) {
            return recorded("SetPointers", matrix, major, minor, values);
        };
        add(all, symbol, set);
    }
}

void add_products(Functions& all) {
    add(all, "SpMV_bufferSize",
        [](Handle, Operation op, const void* alpha, SpMat a, DnVec x, const void* beta, DnVec y, Type type, cusparseSpMVAlg_t alg,
           std::size_t* size) {
            set_size(size);
            return recorded("SpMV_bufferSize", op, scalar(alpha, type), a, x, scalar(beta, type), y, type, alg);
        });
    add(all, "SpMV_preprocess",
        [](Handle, Operation op, const void*, SpMat a, DnVec x, const void*, DnVec y, Type type, cusparseSpMVAlg_t alg,
           void* buffer) { return recorded("SpMV_preprocess", op, a, x, y, type, alg, buffer); });
    add(all, "SpMV",
        [](Handle, Operation op, const void* alpha, SpMat a, DnVec x, const void* beta, DnVec y, Type type, cusparseSpMVAlg_t alg,
           void* buffer) { return recorded("SpMV", op, scalar(alpha, type), a, x, scalar(beta, type), y, type, alg, buffer); });
    add(all, "SpMM_bufferSize",
        [](Handle, Operation op, Operation x_op, const void* alpha, SpMat a, DnMat x, const void* beta, DnMat y, Type type,
           cusparseSpMMAlg_t alg, std::size_t* size) {
            set_size(size);
            return recorded("SpMM_bufferSize", op, x_op, scalar(alpha, type), a, x, scalar(beta, type), y, type, alg);
        });
    add(all, "SpMM_preprocess",
        [](Handle, Operation op, Operation x_op, const void*, SpMat a, DnMat x, const void*, DnMat y, Type type,
           cusparseSpMMAlg_t alg, void* buffer) { return recorded("SpMM_preprocess", op, x_op, a, x, y, type, alg, buffer); });
    add(all, "SpMM",
        [](Handle, Operation op, Operation x_op, const void* alpha, SpMat a, DnMat x, const void* beta, DnMat y, Type type,
           cusparseSpMMAlg_t alg, void* buffer) {
            return recorded("SpMM", op, x_op, scalar(alpha, type), a, x, scalar(beta, type), y, type, alg, buffer);
        });
    using Gemm = cusparseSpGEMMDescr_t;
    add(all, "SpGEMM_createDescr", [](Gemm* made) { return created(made, "gemm"); });
    add(all, "SpGEMM_destroyDescr", [](Gemm object) { return destroyed(object); });
    add(all, "SpGEMM_workEstimation",
        [](Handle, Operation a_op, Operation b_op, const void* alpha, SpMat a, SpMat b, const void* beta, SpMat c, Type type,
           cusparseSpGEMMAlg_t alg, Gemm, std::size_t* size, void* buffer) {
            const int status = recorded("SpGEMM_workEstimation", a_op, b_op, scalar(alpha, type), a, b, scalar(beta, type), c,
                                        type, alg, *size, buffer);
            if (buffer == nullptr) *size = sparse_record().workspace;
            return status;
        });
    add(all, "SpGEMM_compute",
        [](Handle, Operation, Operation, const void*, SpMat, SpMat, const void*, SpMat, Type, cusparseSpGEMMAlg_t, Gemm,
           std::size_t* size, void* buffer) {
            const int status = recorded("SpGEMM_compute", *size, buffer);
            if (buffer == nullptr) *size = 2 * sparse_record().workspace;
            return status;
        });
    add(all, "SpGEMM_copy",
        [](Handle, Operation, Operation, const void*, SpMat, SpMat, const void*, SpMat, Type, cusparseSpGEMMAlg_t, Gemm) {
            return recorded("SpGEMM_copy");
        });
}

void add_triangular(Functions& all) {
    using Vectors = cusparseSpSVDescr_t;
    using Matrices = cusparseSpSMDescr_t;
    add(all, "SpSV_createDescr", [](Vectors* made) { return created(made, "spsv"); });
    add(all, "SpSV_destroyDescr", [](Vectors object) { return destroyed(object); });
    add(all, "SpSM_createDescr", [](Matrices* made) { return created(made, "spsm"); });
    add(all, "SpSM_destroyDescr", [](Matrices object) { return destroyed(object); });
    add(all, "SpSV_bufferSize",
        [](Handle, Operation, const void*, SpMat, DnVec, DnVec, Type, cusparseSpSVAlg_t, Vectors, std::size_t* size) {
            set_size(size);
            return recorded("SpSV_bufferSize");
        });
    add(all, "SpSV_analysis",
        [](Handle, Operation op, const void* alpha, SpMat a, DnVec b, DnVec x, Type type, cusparseSpSVAlg_t alg, Vectors,
           void* buffer) { return recorded("SpSV_analysis", op, scalar(alpha, type), a, b, x, type, alg, buffer); });
    add(all, "SpSV_solve",
        [](Handle, Operation op, const void* alpha, SpMat a, DnVec b, DnVec x, Type type, cusparseSpSVAlg_t alg, Vectors) {
            return recorded("SpSV_solve", op, scalar(alpha, type), a, b, x, type, alg);
        });
    add(all, "SpSV_updateMatrix",
        [](Handle, Vectors, void* values, cusparseSpSVUpdate_t part) { return recorded("SpSV_updateMatrix", values, part); });
    add(all, "SpSM_bufferSize",
        [](Handle, Operation, Operation, const void*, SpMat, DnMat, DnMat, Type, cusparseSpSMAlg_t, Matrices, std::size_t* size) {
            set_size(size);
            return recorded("SpSM_bufferSize");
        });
    add(all, "SpSM_analysis",
        [](Handle, Operation op, Operation b_op, const void* alpha, SpMat a, DnMat b, DnMat x, Type type, cusparseSpSMAlg_t alg,
           Matrices,
           void* buffer) { return recorded("SpSM_analysis", op, b_op, scalar(alpha, type), a, b, x, type, alg, buffer); });
    add(all, "SpSM_solve",
        [](Handle, Operation op, Operation b_op, const void* alpha, SpMat a, DnMat b, DnMat x, Type type, cusparseSpSMAlg_t alg,
           Matrices) { return recorded("SpSM_solve", op, b_op, scalar(alpha, type), a, b, x, type, alg); });
    add(all, "SpSM_updateMatrix",
        [](Handle, Matrices, void* values, cusparseSpSMUpdate_t part) { return recorded("SpSM_updateMatrix", values, part); });
}

void add_conversions(Functions& all) {
    add(all, "SparseToDense_bufferSize", [](Handle, SpMat, DnMat, cusparseSparseToDenseAlg_t, std::size_t* size) {
        set_size(size);
        return recorded("SparseToDense_bufferSize");
    });
    add(all, "SparseToDense", [](Handle, SpMat a, DnMat b, cusparseSparseToDenseAlg_t alg, void* buffer) {
        return recorded("SparseToDense", a, b, alg, buffer);
    });
    add(all, "DenseToSparse_bufferSize", [](Handle, DnMat, SpMat, cusparseDenseToSparseAlg_t, std::size_t* size) {
        set_size(size);
        return recorded("DenseToSparse_bufferSize");
    });
    add(all, "DenseToSparse_analysis", [](Handle, DnMat a, SpMat b, cusparseDenseToSparseAlg_t alg, void* buffer) {
        return recorded("DenseToSparse_analysis", a, b, alg, buffer);
    });
    add(all, "DenseToSparse_convert", [](Handle, DnMat a, SpMat b, cusparseDenseToSparseAlg_t alg, void* buffer) {
        return recorded("DenseToSparse_convert", a, b, alg, buffer);
    });
    add(all, "Csr2cscEx2_bufferSize",
        [](Handle, int, int, int, const void*, const int*, const int*, void*, int*, int*, Type, cusparseAction_t,
           cusparseIndexBase_t, cusparseCsr2CscAlg_t, std::size_t* size) {
            set_size(size);
            return recorded("Csr2cscEx2_bufferSize");
        });
    add(all, "Csr2cscEx2",
        [](Handle, int m, int n, int nnz, const void* values, const int* offsets, const int* indices, void*, int*, int*,
           Type type, cusparseAction_t action, cusparseIndexBase_t base, cusparseCsr2CscAlg_t alg, void* buffer) {
            return recorded("Csr2cscEx2", m, n, nnz, values, offsets, indices, type, action, base, alg, buffer);
        });
    add(all, "Xcsr2coo", [](Handle, const int* offsets, int nnz, int m, int* rows, cusparseIndexBase_t base) {
        return recorded("Xcsr2coo", offsets, nnz, m, rows, base);
    });
    add(all, "Xcoo2csr", [](Handle, const int* rows, int nnz, int m, int* offsets, cusparseIndexBase_t base) {
        return recorded("Xcoo2csr", rows, nnz, m, offsets, base);
    });
}

}  // namespace

void* find_cusparse(const char* symbol) noexcept {
    const UnlimitedMemory memory;
    static const Functions functions = [] {
        Functions all;
        add_objects(all);
        add_products(all);
        add_triangular(all);
        add_conversions(all);
        return all;
    }();
    const auto found = functions.find(symbol);
    return found == functions.end() ? nullptr : found->second;
}

}  // namespace cubind::testing
