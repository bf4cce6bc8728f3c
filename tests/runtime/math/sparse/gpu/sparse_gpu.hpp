// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Random sparse matrices, their arrays on a GPU, and products on the host in double precision.

#include <cubind/core.hpp>
#include <cubind/cudss/status.hpp>
#include <cubind/cusparse/loading.hpp>
#include <cubind/cusparse/status.hpp>
#include <cubind/error.hpp>
#include <cubind/library.hpp>
#include <cubind/math_sparse.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <vector>

namespace cubind::testing {

using Number = std::complex<double>;
using math::SparseFormat;
using math::SparseMatrix;

inline constexpr DataType f16 = DataType::float16();
inline constexpr DataType bf16 = DataType::bfloat16();
inline constexpr DataType f32 = data_type<float>;
inline constexpr DataType f64 = data_type<double>;
inline constexpr DataType c64 = data_type<std::complex<float>>;
inline constexpr DataType c128 = data_type<std::complex<double>>;
inline constexpr DataType all_types[] = {f16, bf16, f32, f64, c64, c128};
inline constexpr DataType solver_types[] = {f32, f64, c64, c128};

/// The relative error, by norm, that rounding may cause.
inline double tolerance(DataType type) {
    if (type == bf16) return 1e-2;
    if (type == f16) return 2e-3;
    return type == f32 || type == c64 ? 2e-5 : 1e-12;
}

// ---- numbers of 16 bits ---------------------------------------------------------------------------------------------------

inline std::uint16_t half_bits(float value) {
    if (value == 0) return 0;
    const auto bits = std::bit_cast<std::uint32_t>(value);
    return static_cast<std::uint16_t>((bits >> 16 & 0x8000) | (((bits >> 13) - (112u << 10)) & 0x7fff));
}

inline float half_value(std::uint16_t bits) {
    const int exponent = bits >> 10 & 31;
    const float magnitude = exponent == 0 ? std::ldexp(static_cast<float>(bits & 1023), -24)
                                          : std::ldexp(static_cast<float>((bits & 1023) | 1024), exponent - 25);
    return (bits & 0x8000) != 0 ? -magnitude : magnitude;
}

inline void store(std::byte* at, Number value, DataType type) {
    const auto put = [&](const auto& number) { std::memcpy(at, &number, sizeof number); };
    if (type == f16) put(half_bits(static_cast<float>(value.real())));
    if (type == bf16) put(static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(static_cast<float>(value.real())) >> 16));
    if (type == f32) put(static_cast<float>(value.real()));
    if (type == f64) put(value.real());
    if (type == c64) put(std::complex<float>(value));
    if (type == c128) put(value);
    if (type == data_type<std::int32_t>) put(static_cast<std::int32_t>(value.real()));
    if (type == data_type<std::int64_t>) put(static_cast<std::int64_t>(value.real()));
}

inline Number load(const std::byte* at, DataType type) {
    const auto get = [&](auto number) {
        std::memcpy(&number, at, sizeof number);
        return number;
    };
    if (type == f16) return half_value(get(std::uint16_t{}));
    if (type == bf16) return std::bit_cast<float>(static_cast<std::uint32_t>(get(std::uint16_t{})) << 16);
    if (type == f32) return get(float{});
    if (type == f64) return get(double{});
    if (type == c64) return Number(get(std::complex<float>{}));
    if (type == c128) return get(Number{});
    if (type == data_type<std::int32_t>) return get(std::int32_t{});
    return static_cast<double>(get(std::int64_t{}));
}

// ---- arrays on the GPU ----------------------------------------------------------------------------------------------------

/// An array of any strides in memory of a GPU.
class GpuArray {
public:
    /// The values are in row-major order, whatever the strides.
    GpuArray(const Stream& stream, const std::vector<Number>& values, DataType type, const Dimensions& shape,
             Dimensions strides = {})
        : type_(type), shape_(shape), strides_(strides) {
        if (strides_.rank() == 0) {
            std::int64_t stride = 1;
            for (std::size_t i = 0; i < shape.rank(); ++i) strides_.push_back(0);
            for (std::size_t i = shape.rank(); i-- > 0; stride *= shape[i]) strides_.set(i, stride);
        }
        std::int64_t last = 0;
        for (std::size_t i = 0; i < shape.rank(); ++i) last += std::max<std::int64_t>(shape[i] - 1, 0) * strides_[i];
        std::vector<std::byte> bytes((static_cast<std::size_t>(last) + 1) * type.size());
        for (std::size_t i = 0; i < values.size(); ++i) store(bytes.data() + offset(i), values[i], type);
        bytes_ = stream.device().allocate<std::byte>(stream, bytes.size());
        copy(stream, bytes_, bytes);
        stream.synchronize();
    }

    [[nodiscard]] StridedView view() const { return StridedView(bytes_.bytes(), type_, shape_, strides_); }

    [[nodiscard]] std::vector<Number> values(const Stream& stream) const {
        std::vector<std::byte> bytes(bytes_.count());
        copy(stream, bytes, bytes_);
        stream.synchronize();
        std::vector<Number> result(view().size());
        for (std::size_t i = 0; i < result.size(); ++i) result[i] = load(bytes.data() + offset(i), type_);
        return result;
    }

private:
    [[nodiscard]] std::size_t offset(std::size_t index) const {
        auto rest = static_cast<std::int64_t>(index);
        std::int64_t position = 0;
        for (std::size_t i = shape_.rank(); i-- > 0; rest /= shape_[i]) position += rest % shape_[i] * strides_[i];
        return static_cast<std::size_t>(position) * type_.size();
    }

    DataType type_;
    Dimensions shape_, strides_;
    TypedBuffer<std::byte> bytes_;
};

inline std::vector<Number> downloaded(const Stream& stream, const StridedView& view) {
    std::vector<std::byte> bytes(view.size_bytes());
    const StridedView host(
        StridedMemory{.data = bytes.data(), .dtype = view.dtype(), .shape = view.shape(), .strides = view.strides()});
    if (view.size() != 0) copy(stream, host, view);
    stream.synchronize();
    std::vector<Number> result(view.size());
    for (std::size_t i = 0; i < result.size(); ++i) result[i] = load(bytes.data() + i * view.dtype().size(), view.dtype());
    return result;
}

// ---- matrices on the host -------------------------------------------------------------------------------------------------

/// A dense matrix in row-major order.
struct HostMatrix {
    HostMatrix(std::int64_t row_count, std::int64_t column_count)
        : rows(row_count), columns(column_count), values(static_cast<std::size_t>(row_count * column_count)) {}
    Number& at(std::int64_t i, std::int64_t j) { return values[static_cast<std::size_t>(i * columns + j)]; }
    [[nodiscard]] Number at(std::int64_t i, std::int64_t j) const { return values[static_cast<std::size_t>(i * columns + j)]; }

    std::int64_t rows, columns;
    std::vector<Number> values;
};

inline HostMatrix transpose(const HostMatrix& matrix, bool conjugates = false) {
    HostMatrix result(matrix.columns, matrix.rows);
    for (std::int64_t i = 0; i < matrix.rows; ++i)
        for (std::int64_t j = 0; j < matrix.columns; ++j)
            result.at(j, i) = conjugates ? std::conj(matrix.at(i, j)) : matrix.at(i, j);
    return result;
}

inline HostMatrix product(const HostMatrix& a, const HostMatrix& b) {
    HostMatrix result(a.rows, b.columns);
    for (std::int64_t i = 0; i < a.rows; ++i)
        for (std::int64_t k = 0; k < a.columns; ++k)
            for (std::int64_t j = 0; j < b.columns; ++j) result.at(i, j) += a.at(i, k) * b.at(k, j);
    return result;
}

inline double relative_error(const std::vector<Number>& found, const std::vector<Number>& expected) {
    if (found.size() != expected.size()) return INFINITY;
    double difference = 0, norm = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
        difference += std::norm(found[i] - expected[i]);
        norm += std::norm(expected[i]);
    }
    return std::sqrt(difference) / (norm == 0 ? 1 : std::sqrt(norm));
}

/// A test with a stream of a GPU and random numbers, whose seed is printed.
class SparseGpuTest : public ::testing::Test {
protected:
    void SetUp() override {
        if (const std::string why = problem(); !why.empty()) GTEST_SKIP() << why;
        stream_.emplace(Device(0));
        const unsigned int seed = std::random_device()();
        RecordProperty("seed", std::to_string(seed));
        std::printf("seed %u\n", seed);
        random_.seed(seed);
    }
    virtual std::string problem() const {
        if (library_path(cusparse::library()) == nullptr) return "cuSPARSE was not found";
        try {
            return Device::count() == 0 ? "there is no GPU" : "";
        } catch (const Error&) {
            return "there is no driver";
        }
    }

    /// Multiples of 1/8 from -2 to 2, which all types represent, but not 0.
    Number number(DataType type) {
        std::uniform_int_distribution<int> eighths(1, 16);
        std::bernoulli_distribution is_negative;
        const auto part = [&] { return (is_negative(random_) ? -1 : 1) * eighths(random_) / 8.0; };
        return type.kind == DataTypeKind::complex ? Number(part(), part()) : Number(part());
    }
    std::vector<Number> numbers(DataType type, std::int64_t count) {
        std::vector<Number> result(static_cast<std::size_t>(count));
        for (Number& each : result) each = number(type);
        return result;
    }
    HostMatrix dense(DataType type, std::int64_t rows, std::int64_t columns) {
        HostMatrix result(rows, columns);
        result.values = numbers(type, rows * columns);
        return result;
    }
    /// A sparse matrix, of which each fifth row is empty. Blocks are empty or full.
    HostMatrix sparse(DataType type, std::int64_t rows, std::int64_t columns, std::int64_t block = 1) {
        std::bernoulli_distribution is_stored(0.2);
        HostMatrix result(rows, columns);
        for (std::int64_t i = 0; i < rows; i += block) {
            for (std::int64_t j = 0; j < columns; j += block) {
                if (i / block % 5 == 2 || !is_stored(random_)) continue;
                for (std::int64_t k = 0; k < block * block; ++k) result.at(i + k / block, j + k % block) = number(type);
            }
        }
        return result;
    }

    /// Uploads the elements that are not 0.
    SparseMatrix uploaded(const HostMatrix& host, SparseFormat format, DataType type, DataType index = data_type<int>,
                          int first = 0, std::int64_t block = 1) {
        if (format == SparseFormat::csc) {
            const SparseMatrix rows = uploaded(transpose(host), SparseFormat::csr, type, index, first);
            return SparseMatrix::csc({host.rows, host.columns}, rows.offsets(), rows.column_indices(), rows.values(), {first});
        }
        std::vector<Number> offsets{static_cast<double>(first)}, row_indices, column_indices, values;
        for (std::int64_t i = 0; i < host.rows; i += block) {
            for (std::int64_t j = 0; j < host.columns; j += block) {
                if (host.at(i, j) == Number()) continue;
                row_indices.emplace_back(static_cast<double>(i + first));
                const std::int64_t column = j / block + first;
                column_indices.emplace_back(static_cast<double>(column));
                for (std::int64_t k = 0; k < block * block; ++k) values.push_back(host.at(i + k / block, j + k % block));
            }
            offsets.emplace_back(static_cast<double>(column_indices.size()) + first);
        }
        const auto array = [&](const std::vector<Number>& numbers, DataType element) {
            return GpuArray(*stream_, numbers, element, {static_cast<std::int64_t>(numbers.size())}).view();
        };
        const math::MatrixShape shape{host.rows, host.columns};
        const math::SparseMatrixOptions options{.first_index = first};
        if (format == SparseFormat::csr)
            return SparseMatrix::csr(shape, array(offsets, index), array(column_indices, index), array(values, type), options);
        if (format == SparseFormat::coo)
            return SparseMatrix::coo(shape, array(row_indices, index), array(column_indices, index), array(values, type),
                                     options);
        return SparseMatrix::bsr(shape, {block, block}, array(offsets, index), array(column_indices, index), array(values, type),
                                 options);
    }

    /// Returns the matrix that the arrays on the GPU describe.
    HostMatrix read(const SparseMatrix& matrix) {
        HostMatrix result(matrix.rows(), matrix.columns());
        const std::vector<Number> values = downloaded(*stream_, matrix.values());
        const auto index = [&](const Number& number) {
            return static_cast<std::int64_t>(number.real()) - matrix.options().first_index;
        };
        if (matrix.format() == SparseFormat::coo) {
            const auto rows = downloaded(*stream_, matrix.row_indices());
            const auto columns = downloaded(*stream_, matrix.column_indices());
            for (std::size_t k = 0; k < values.size(); ++k) result.at(index(rows[k]), index(columns[k])) += values[k];
            return result;
        }
        const bool has_rows = matrix.format() == SparseFormat::csr;
        const auto offsets = downloaded(*stream_, matrix.offsets());
        const auto indices = downloaded(*stream_, has_rows ? matrix.column_indices() : matrix.row_indices());
        for (std::size_t i = 0; i + 1 < offsets.size(); ++i) {
            for (std::int64_t k = index(offsets[i]); k < index(offsets[i + 1]); ++k) {
                const auto major = static_cast<std::int64_t>(i);
                const std::int64_t minor = index(indices[static_cast<std::size_t>(k)]);
                (has_rows ? result.at(major, minor) : result.at(minor, major)) += values[static_cast<std::size_t>(k)];
            }
        }
        return result;
    }

    /// Makes a call that the library may refuse as not supported, which is printed. Returns whether it did its work.
    template <class Call>
    static bool accepted(const std::string& what, bool may_be_refused, Call call) {
        try {
            call();
            return true;
        } catch (const Error& error) {
            const bool is_refusal =
                error.code() == cusparse::CUSPARSE_STATUS_NOT_SUPPORTED || error.code() == cudss::CUDSS_STATUS_NOT_SUPPORTED;
            if (!may_be_refused || !is_refusal) throw;
            std::printf("not supported: %s\n", what.c_str());
            return false;
        }
    }

    std::optional<Stream> stream_;
    std::mt19937 random_;
};

}  // namespace cubind::testing
