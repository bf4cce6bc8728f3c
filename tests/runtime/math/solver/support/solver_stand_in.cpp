// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "solver_stand_in.hpp"

#include <cubind/cublas.hpp>
#include <cubind/cusolver.hpp>
#include <cubind/driver/execution.hpp>
#include <cubind/driver/memory.hpp>
#include <cubind/driver/stream.hpp>
#include <cubind/substitute.hpp>

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "unlimited_memory.hpp"

struct cusolverDnContext {
    cubind::driver::CUstream stream;
};
struct cublasContext {
    cubind::driver::CUstream stream;
};

namespace cubind::testing {

using namespace cusolver;
using namespace cublas;
using runtime::cudaDataType;

namespace {

SolverStandIn& state() {
    static SolverStandIn only;
    return only;
}

using Solver = cusolverDnHandle_t;
using Params = cusolverDnParams_t;
using Size = std::size_t;
using Long = std::int64_t;
using Status = cusolverStatus_t;
using Type = cudaDataType;
using Functions = std::map<std::string, void*, std::less<>>;

template <class Function>
void add(Functions& functions, const std::string& symbol, Function function) {
    functions[symbol] = with_unlimited_memory(function, +function);
}

/// Builds the text of a call.
class Text {
public:
    explicit Text(const char* name) : text_(name) {}
    template <class Number>
    Text& operator()(const char* name, Number value) {
        text_ += std::string(" ") + name + "=" + std::to_string(static_cast<long long>(value));
        return *this;
    }
    const std::string& get() const { return text_; }

private:
    std::string text_;
};

driver::CUdeviceptr address(const void* data) {
    return reinterpret_cast<driver::CUdeviceptr>(data);
}

/// Returns whether memory must not be accessed now.
bool is_passive(driver::CUstream stream) {
    return state().is_passive || driver::cuStreamIsCapturing(stream).value != driver::CU_STREAM_CAPTURE_STATUS_NONE;
}

/// Writes what `value(i, j)` returns to a matrix, in the order of the stream.
template <class Value>
void write(driver::CUstream stream, void* matrix, Long rows, Long columns, Long distance, Value value) {
    if (matrix == nullptr || is_passive(stream)) return;
    (void)driver::cuStreamSynchronize(stream);
    for (Long j = 0; j < columns; ++j) {
        std::vector<double> column;
        for (Long i = 0; i < rows; ++i) column.push_back(value(i, j));
        (void)driver::cuMemcpyHtoD(address(static_cast<double*>(matrix) + j * distance), column.data(),
                                   column.size() * sizeof(double));
    }
}

double read(driver::CUstream stream, const double* element) {
    double value = 0;
    (void)driver::cuStreamSynchronize(stream);
    (void)driver::cuMemcpyDtoH(&value, address(element), sizeof value);
    return value;
}

Status record(Solver handle, const Text& text, std::vector<const void*> addresses, int* info = nullptr) {
    state().calls.push_back({text.get(), std::move(addresses), handle->stream});
    if (info != nullptr && !state().is_passive) {
        for (std::size_t i = 0; i < state().info.size(); ++i)
            (void)driver::cuMemsetD32Async(address(info + i), static_cast<unsigned int>(state().info[i]), 1, handle->stream);
    }
    return static_cast<Status>(state().status);
}

Status record_work(Solver handle, const Text& text, std::vector<const void*> addresses, void* device, Size device_bytes,
                   void* host, Size host_bytes, int* info) {
    const Status status = record(handle, text, std::move(addresses), info);
    SolverRecord& latest = state().calls.back();
    latest.device_memory = device;
    latest.device_bytes = device_bytes;
    latest.host_memory = host;
    latest.host_bytes = host_bytes;
    if (host != nullptr && !is_passive(handle->stream))  // in the order of the stream, as cuSOLVER may use it
        (void)driver::cuLaunchHostFunc(
            handle->stream, [](void* memory) { *static_cast<char*>(memory) = 1; }, host);
    return status;
}

Status sizes(Size* device, Size* host) {
    *device = state().device_bytes;
    *host = state().host_bytes;
    return CUSOLVER_STATUS_SUCCESS;
}

void add_handles(Functions& all) {
    add(all, "cusolverDnCreate", [](Solver* handle) -> Status {
        ++state().handles;
        *handle = new cusolverDnContext{nullptr};
        return CUSOLVER_STATUS_SUCCESS;
    });
    add(all, "cusolverDnDestroy", [](Solver handle) -> Status {
        --state().handles;
        delete handle;
        return CUSOLVER_STATUS_SUCCESS;
    });
    add(all, "cusolverDnSetStream", [](Solver handle, driver::CUstream stream) -> Status {
        handle->stream = stream;
        return CUSOLVER_STATUS_SUCCESS;
    });
    add(all, "cusolverDnCreateParams", [](Params* params) -> Status {
        ++state().handles;
        *params = reinterpret_cast<Params>(new int);
        return CUSOLVER_STATUS_SUCCESS;
    });
    add(all, "cusolverDnDestroyParams", [](Params params) -> Status {
        --state().handles;
        delete reinterpret_cast<int*>(params);
        return CUSOLVER_STATUS_SUCCESS;
    });
    add(all, "cublasCreate_v2", [](cublasHandle_t* handle) -> cublasStatus_t {
        ++state().handles;
        *handle = new cublasContext{nullptr};
        return CUBLAS_STATUS_SUCCESS;
    });
    add(all, "cublasDestroy_v2", [](cublasHandle_t handle) -> cublasStatus_t {
        --state().handles;
        delete handle;
        return CUBLAS_STATUS_SUCCESS;
    });
    add(all, "cublasSetStream_v2", [](cublasHandle_t handle, driver::CUstream stream) -> cublasStatus_t {
        handle->stream = stream;
        return CUBLAS_STATUS_SUCCESS;
    });
}

void add_equations(Functions& all) {
    add(all, "cusolverDnXgetrf_bufferSize",
        [](Solver, Params, Long, Long, Type, const void*, Long, Type, Size* device, Size* host) -> Status {
            return sizes(device, host);
        });
    add(all, "cusolverDnXgetrf",
        [](Solver h, Params, Long m, Long n, Type t, void* a, Long lda, Long* pivots, Type compute, void* device, Size db,
           void* host, Size hb, int* info) -> Status {
            return record_work(h, Text("Xgetrf")("m", m)("n", n)("A", t)("lda", lda)("compute", compute), {a, pivots}, device, db,
                               host, hb, info);
        });
    add(all, "cusolverDnXgetrs",
        [](Solver h, Params, cublasOperation_t trans, Long n, Long count, Type t, const void* a, Long lda, const Long* pivots,
           Type b_type, void* b, Long ldb, int*) -> Status {
            return record(h, Text("Xgetrs")("trans", trans)("n", n)("nrhs", count)("A", t)("lda", lda)("B", b_type)("ldb", ldb),
                          {a, pivots, b});
        });
    add(all, "cusolverDnXpotrf_bufferSize",
        [](Solver, Params, cublasFillMode_t, Long, Type, const void*, Long, Type, Size* device, Size* host) -> Status {
            return sizes(device, host);
        });
    add(all, "cusolverDnXpotrf",
        [](Solver h, Params, cublasFillMode_t uplo, Long n, Type t, void* a, Long lda, Type compute, void* device, Size db,
           void* host, Size hb, int* info) -> Status {
            return record_work(h, Text("Xpotrf")("uplo", uplo)("n", n)("A", t)("lda", lda)("compute", compute), {a}, device, db,
                               host, hb, info);
        });
    add(all, "cusolverDnXpotrs",
        [](Solver h, Params, cublasFillMode_t uplo, Long n, Long count, Type t, const void* a, Long lda, Type b_type, void* b,
           Long ldb, int*) -> Status {
            return record(h, Text("Xpotrs")("uplo", uplo)("n", n)("nrhs", count)("A", t)("lda", lda)("B", b_type)("ldb", ldb),
                          {a, b});
        });
}

void add_decompositions(Functions& all) {
    add(all, "cusolverDnXgeqrf_bufferSize",
        [](Solver, Params, Long, Long, Type, const void*, Long, Type, const void*, Type, Size* device, Size* host) -> Status {
            return sizes(device, host);
        });
    add(all, "cusolverDnXgeqrf",
        [](Solver h, Params, Long m, Long n, Type t, void* a, Long lda, Type tau_type, void* tau, Type compute, void* device,
           Size db, void* host, Size hb, int* info) -> Status {
            return record_work(h, Text("Xgeqrf")("m", m)("n", n)("A", t)("lda", lda)("tau", tau_type)("compute", compute),
                               {a, tau}, device, db, host, hb, info);
        });
    add(all, "cusolverDnXsyevd_bufferSize",
        [](Solver, Params, cusolverEigMode_t, cublasFillMode_t, Long, Type, const void*, Long, Type, const void*, Type,
           Size* device, Size* host) -> Status { return sizes(device, host); });
    add(all, "cusolverDnXsyevd",
        [](Solver h, Params, cusolverEigMode_t job, cublasFillMode_t uplo, Long n, Type t, void* a, Long lda, Type wt, void* w,
           Type compute, void* device, Size db, void* host, Size hb, int* info) -> Status {
            if (wt == runtime::CUDA_R_64F) write(h->stream, w, n, 1, n, [](Long i, Long) { return static_cast<double>(i + 1); });
            return record_work(h,
                               Text("Xsyevd")("job", job)("uplo", uplo)("n", n)("A", t)("lda", lda)("W", wt)("compute", compute),
                               {a, w}, device, db, host, hb, info);
        });
    add(all, "cusolverDnXsyevBatched_bufferSize",
        [](Solver, Params, cusolverEigMode_t, cublasFillMode_t, Long, Type, const void*, Long, Type, const void*, Type,
           Size* device, Size* host, Long) -> Status { return sizes(device, host); });
    add(all, "cusolverDnXsyevBatched",
        [](Solver h, Params, cusolverEigMode_t job, cublasFillMode_t uplo, Long n, Type t, void* a, Long lda, Type wt, void* w,
           Type compute, void* device, Size db, void* host, Size hb, int* info, Long batch) -> Status {
            if (wt == runtime::CUDA_R_64F)
                write(h->stream, w, n, batch, n, [](Long i, Long j) { return static_cast<double>(10 * j + i + 1); });
            return record_work(h,
                               Text("XsyevBatched")("job", job)("uplo", uplo)("n", n)("A", t)("lda", lda)("W", wt)(
                                   "compute", compute)("batch", batch),
                               {a, w}, device, db, host, hb, info);
        });
    add(all, "cusolverDnXgesvd_bufferSize",
        [](Solver, Params, signed char, signed char, Long, Long, Type, const void*, Long, Type, const void*, Type, const void*,
           Long, Type, const void*, Long, Type, Size* device, Size* host) -> Status { return sizes(device, host); });
    add(all, "cusolverDnXgesvd",
        [](Solver h, Params, signed char job_u, signed char job_v, Long m, Long n, Type t, void* a, Long lda, Type st, void* s,
           Type, void* u, Long ldu, Type, void* vt, Long ldvt, Type compute, void* device, Size db, void* host, Size hb,
           int* info) -> Status {
            if (t == runtime::CUDA_R_64F && job_u != 'N') {
                write(h->stream, u, m, job_u == 'A' ? m : n, ldu,
                      [](Long i, Long j) { return static_cast<double>(1000 + 10 * i + j); });
                write(h->stream, vt, n, n, ldvt, [](Long i, Long j) { return static_cast<double>(2000 + 10 * i + j); });
            }
            return record_work(h,
                               Text("Xgesvd")("u", job_u)("v", job_v)("m", m)("n", n)("A", t)("lda", lda)("S", st)("ldu", ldu)(
                                   "ldvt", ldvt)("compute", compute),
                               {a, s, u, vt}, device, db, host, hb, info);
        });
    add(all, "cusolverDnXgesvdp_bufferSize",
        [](Solver, Params, cusolverEigMode_t, int, Long, Long, Type, const void*, Long, Type, const void*, Type, const void*,
           Long, Type, const void*, Long, Type, Size* device, Size* host) -> Status { return sizes(device, host); });
    add(all, "cusolverDnXgesvdp",
        [](Solver h, Params, cusolverEigMode_t job, int econ, Long m, Long n, Type t, void* a, Long lda, Type st, void* s, Type,
           void* u, Long ldu, Type, void* v, Long ldv, Type compute, void* device, Size db, void* host, Size hb, int* info,
           double* perturbation) -> Status {
            *perturbation = 0;
            if (t == runtime::CUDA_R_64F && job == CUSOLVER_EIG_MODE_VECTOR) {
                write(h->stream, u, m, econ != 0 ? n : m, ldu,
                      [](Long i, Long j) { return static_cast<double>(1000 + 10 * i + j); });
                write(h->stream, v, n, n, ldv, [](Long i, Long j) { return static_cast<double>(2000 + 10 * i + j); });
            }
            return record_work(h,
                               Text("Xgesvdp")("job", job)("econ", econ)("m", m)("n", n)("A", t)("lda", lda)("S", st)("ldu", ldu)(
                                   "ldv", ldv)("compute", compute),
                               {a, s, u, v}, device, db, host, hb, info);
        });
}

/// Adds the functions of one type of elements. Their texts begin with the letter of the type.
template <class Element>
void add_typed(Functions& all, const std::string& solver_letter, const std::string& q, const std::string& multiply) {
    const std::string prefix = "cusolverDn" + solver_letter;
    add(all, prefix + q + "_bufferSize", [](Solver, int, int, int, const Element*, int, const Element*, int* size) -> Status {
        *size = 77;
        return CUSOLVER_STATUS_SUCCESS;
    });
    add(all, prefix + q,
        [](Solver h, int m, int n, int k, Element* a, int lda, const Element* tau, Element* work, int count, int*) -> Status {
            return record(h, Text("q")("m", m)("n", n)("k", k)("lda", lda)("work", count)("size", sizeof(Element)),
                          {a, tau, work});
        });
    add(all, prefix + multiply + "_bufferSize",
        [](Solver, cublasSideMode_t, cublasOperation_t, int, int, int, const Element*, int, const Element*, const Element*, int,
           int* size) -> Status {
            *size = 88;
            return CUSOLVER_STATUS_SUCCESS;
        });
    add(all, prefix + multiply,
        [](Solver h, cublasSideMode_t side, cublasOperation_t trans, int m, int n, int k, const Element* a, int lda,
           const Element* tau, Element* c, int ldc, Element* work, int count, int*) -> Status {
            return record(h,
                          Text("multiply")("side", side)("trans", trans)("m", m)("n", n)("k", k)("lda", lda)("ldc", ldc)(
                              "work", count)("size", sizeof(Element)),
                          {a, tau, c, work});
        });
    const std::string blas = "cublas" + solver_letter;
    add(all, blas + "trsm_v2",
        [](cublasHandle_t h, cublasSideMode_t side, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag, int m,
           int n, const Element*, const Element* a, int lda, Element* b, int ldb) -> cublasStatus_t {
            state().calls.push_back({Text("trsm")("side", side)("uplo", uplo)("trans", trans)("diag", diag)("m", m)("n", n)(
                                         "lda", lda)("ldb", ldb)("size", sizeof(Element))
                                         .get(),
                                     {a, b},
                                     h->stream});
            return CUBLAS_STATUS_SUCCESS;
        });
    add(all, blas + "trttp",
        [](cublasHandle_t h, cublasFillMode_t uplo, int n, const Element* a, int lda, Element* packed) -> cublasStatus_t {
            state().calls.push_back({Text("pack")("uplo", uplo)("n", n)("lda", lda).get(), {a, packed}, h->stream});
            if constexpr (std::is_same_v<Element, double>) {
                if (is_passive(h->stream)) return CUBLAS_STATUS_SUCCESS;
                for (int j = 0, at = 0; j < n; ++j) {
                    for (int i = uplo == CUBLAS_FILL_MODE_LOWER ? j : 0; i < (uplo == CUBLAS_FILL_MODE_LOWER ? n : j + 1);
                         ++i, ++at) {
                        const double value = read(h->stream, a + j * lda + i);
                        (void)driver::cuMemcpyHtoD(address(packed + at), &value, sizeof value);
                    }
                }
            }
            return CUBLAS_STATUS_SUCCESS;
        });
    add(all, blas + "tpttr",
        [](cublasHandle_t h, cublasFillMode_t uplo, int n, const Element* packed, Element* a, int lda) -> cublasStatus_t {
            state().calls.push_back({Text("unpack")("uplo", uplo)("n", n)("lda", lda).get(), {packed, a}, h->stream});
            if constexpr (std::is_same_v<Element, double>) {
                if (is_passive(h->stream)) return CUBLAS_STATUS_SUCCESS;
                for (int j = 0, at = 0; j < n; ++j) {
                    for (int i = uplo == CUBLAS_FILL_MODE_LOWER ? j : 0; i < (uplo == CUBLAS_FILL_MODE_LOWER ? n : j + 1);
                         ++i, ++at) {
                        const double value = read(h->stream, packed + at);
                        (void)driver::cuMemcpyHtoD(address(a + j * lda + i), &value, sizeof value);
                    }
                }
            }
            return CUBLAS_STATUS_SUCCESS;
        });
    if constexpr (!std::is_floating_point_v<Element>) {
        add(all, blas + "geam_64",
            [](cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, Long m, Long n, const Element* alpha,
               const Element* a, Long lda, const Element* beta, const Element* b, Long ldb, Element* c,
               Long ldc) -> cublasStatus_t {
                state().calls.push_back({Text("geam")("ta", ta)("tb", tb)("m", m)("n", n)("alpha", alpha->x)("lda", lda)(
                                             "beta", beta->x)("ldb", ldb)("ldc", ldc)
                                             .get(),
                                         {a, b, c},
                                         h->stream});
                return CUBLAS_STATUS_SUCCESS;
            });
    }
}

Functions& functions() {
    static Functions all;
    return all;
}

void* find(const char* symbol) noexcept {
    const UnlimitedMemory memory;
    const auto found = functions().find(symbol);
    return found == functions().end() || state().missing.contains(symbol) ? nullptr : found->second;
}

constexpr Substitute stand_in{.path = "a stand-in", .found_via = "a test", .find = find};

}  // namespace

SolverStandIn& solver_stand_in() {
    return state();
}

ScopedSolverStandIn::ScopedSolverStandIn() {
    const UnlimitedMemory memory;
    state() = {};
    add_handles(functions());
    add_equations(functions());
    add_decompositions(functions());
    add_typed<float>(functions(), "S", "orgqr", "ormqr");
    add_typed<double>(functions(), "D", "orgqr", "ormqr");
    add_typed<runtime::cuComplex>(functions(), "C", "ungqr", "unmqr");
    add_typed<runtime::cuDoubleComplex>(functions(), "Z", "ungqr", "unmqr");
    substitute(cusolver::library(), cusolver::all_entry_points(), &stand_in);
    substitute(cublas::library(), cublas::all_entry_points(), &stand_in);
}

ScopedSolverStandIn::~ScopedSolverStandIn() {
    const UnlimitedMemory memory;
    substitute(cusolver::library(), cusolver::all_entry_points(), nullptr);
    substitute(cublas::library(), cublas::all_entry_points(), nullptr);
}

}  // namespace cubind::testing
