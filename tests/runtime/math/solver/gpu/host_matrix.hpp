// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core.hpp>
#include <cubind/cusolver/loading.hpp>
#include <cubind/error.hpp>
#include <cubind/library.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace cubind::testing {

/// Returns why cuSOLVER cannot be tested here, or an empty text.
inline std::string problem() {
    if (library_path(cusolver::library()) == nullptr) return "cuSOLVER was not found";
    try {
        return Device::count() == 0 ? "there is no GPU" : "";
    } catch (const Error&) {
        return "there is no driver";
    }
}

/// The random numbers of a run, whose seed is printed.
inline std::mt19937_64& random_numbers() {
    static std::mt19937_64 numbers = [] {
        const auto seed = std::random_device()();
        std::printf("seed %u\n", seed);
        return std::mt19937_64(seed);
    }();
    return numbers;
}

template <class Element>
inline constexpr bool is_complex = !std::is_floating_point_v<Element>;

template <class Element>
using Real = decltype(std::abs(Element()));

/// Returns the distance of 1 and the next number, times ten times the size.
template <class Element>
double tolerance(std::int64_t size) {
    return 10 * static_cast<double>(std::numeric_limits<Real<Element>>::epsilon()) *
           static_cast<double>(std::max<std::int64_t>(size, 4));
}

/// A matrix of the host, row by row, with the real and the imaginary parts in double precision.
struct HostMatrix {
    HostMatrix(std::int64_t row_count, std::int64_t column_count)
        : rows(row_count), columns(column_count), re(static_cast<std::size_t>(rows * columns)), im(re.size()) {}

    std::size_t at(std::int64_t i, std::int64_t j) const { return static_cast<std::size_t>(i * columns + j); }

    /// Returns a matrix of random numbers that `Element` can express.
    template <class Element>
    static HostMatrix random(std::int64_t rows, std::int64_t columns) {
        HostMatrix result(rows, columns);
        std::uniform_real_distribution<float> numbers(-1, 1);
        for (std::size_t i = 0; i < result.re.size(); ++i) {
            result.re[i] = static_cast<double>(numbers(random_numbers()));
            if (is_complex<Element>) result.im[i] = static_cast<double>(numbers(random_numbers()));
        }
        return result;
    }

    HostMatrix adjoint() const {
        HostMatrix result(columns, rows);
        for (std::int64_t i = 0; i < rows; ++i) {
            for (std::int64_t j = 0; j < columns; ++j) {
                result.re[result.at(j, i)] = re[at(i, j)];
                result.im[result.at(j, i)] = -im[at(i, j)];
            }
        }
        return result;
    }
    HostMatrix transpose() const {
        HostMatrix result = adjoint();
        for (double& each : result.im) each = -each;
        return result;
    }
    /// Multiplies column j by factors[j].
    HostMatrix scaled(const HostMatrix& factors) const {
        HostMatrix result = *this;
        for (std::int64_t i = 0; i < rows; ++i) {
            for (std::int64_t j = 0; j < columns; ++j) {
                result.re[at(i, j)] *= factors.re[static_cast<std::size_t>(j)];
                result.im[at(i, j)] *= factors.re[static_cast<std::size_t>(j)];
            }
        }
        return result;
    }
    HostMatrix first_columns(std::int64_t count) const {
        HostMatrix result(rows, count);
        for (std::int64_t i = 0; i < rows; ++i) {
            for (std::int64_t j = 0; j < count; ++j) {
                result.re[result.at(i, j)] = re[at(i, j)];
                result.im[result.at(i, j)] = im[at(i, j)];
            }
        }
        return result;
    }
    static HostMatrix identity(std::int64_t n) {
        HostMatrix result(n, n);
        for (std::int64_t i = 0; i < n; ++i) result.re[result.at(i, i)] = 1;
        return result;
    }
    /// Returns the Frobenius norm.
    double norm() const {
        double sum = 0;
        for (std::size_t i = 0; i < re.size(); ++i) sum += re[i] * re[i] + im[i] * im[i];
        return std::sqrt(sum);
    }
    bool is_finite() const {
        const auto finite = [](double each) { return std::isfinite(each); };
        return std::all_of(re.begin(), re.end(), finite) && std::all_of(im.begin(), im.end(), finite);
    }

    std::int64_t rows;
    std::int64_t columns;
    std::vector<double> re;
    std::vector<double> im;
};

inline HostMatrix operator*(const HostMatrix& left, const HostMatrix& right) {
    HostMatrix result(left.rows, right.columns);
    const auto n = static_cast<std::size_t>(right.columns);
    for (std::int64_t i = 0; i < left.rows; ++i) {
        double* const re = result.re.data() + static_cast<std::size_t>(i) * n;
        double* const im = result.im.data() + static_cast<std::size_t>(i) * n;
        for (std::int64_t k = 0; k < left.columns; ++k) {
            const double x = left.re[left.at(i, k)], y = left.im[left.at(i, k)];
            const double* const r = right.re.data() + static_cast<std::size_t>(k) * n;
            const double* const s = right.im.data() + static_cast<std::size_t>(k) * n;
            for (std::size_t j = 0; j < n; ++j) {
                re[j] += x * r[j] - y * s[j];
                im[j] += x * s[j] + y * r[j];
            }
        }
    }
    return result;
}

inline HostMatrix operator-(HostMatrix left, const HostMatrix& right) {
    for (std::size_t i = 0; i < left.re.size(); ++i) {
        left.re[i] -= right.re[i];
        left.im[i] -= right.im[i];
    }
    return left;
}

/// Returns how far the columns are from orthonormal.
inline double orthogonality(const HostMatrix& columns) {
    return (columns.adjoint() * columns - HostMatrix::identity(columns.columns)).norm();
}

/// An arrangement of a matrix in memory.
struct Arrangement {
    MemoryOrder order = MemoryOrder::column_major;
    std::int64_t gap = 0;  ///< elements between columns or rows
};

inline const std::vector<Arrangement> arrangements = {
    {MemoryOrder::column_major, 0}, {MemoryOrder::column_major, 3}, {MemoryOrder::row_major, 0}, {MemoryOrder::row_major, 5}};

/// Tests on the first GPU.
class SolverGpu : public ::testing::Test {
protected:
    void SetUp() override {
        if (const std::string why = problem(); !why.empty()) GTEST_SKIP() << why;
        device_.emplace();
        stream_.emplace(*device_);
    }

    /// Allocates a matrix of NaN in this arrangement.
    template <class Element>
    StridedView allocate(std::int64_t rows, std::int64_t columns, const Arrangement& arrangement = {}) {
        const bool by_columns = arrangement.order == MemoryOrder::column_major;
        const std::int64_t distance = (by_columns ? rows : columns) + arrangement.gap;
        const auto count = static_cast<std::size_t>(distance * (by_columns ? columns : rows));
        auto buffer = device_->allocate<Element>(*stream_, std::max<std::size_t>(count, 1));
        const std::vector<Element> nothing(buffer.count(), Element(std::numeric_limits<Real<Element>>::quiet_NaN()));
        copy(*stream_, buffer, nothing);
        stream_->synchronize();
        return {buffer, {rows, columns}, by_columns ? Dimensions{1, distance} : Dimensions{distance, 1}};
    }
    template <class Element>
    StridedView upload(const HostMatrix& matrix, const Arrangement& arrangement = {}) {
        const StridedView view = allocate<Element>(matrix.rows, matrix.columns, arrangement);
        std::vector<Element> values(matrix.re.size());
        for (std::size_t i = 0; i < values.size(); ++i) {
            if constexpr (is_complex<Element>) {
                values[i] = Element(static_cast<Real<Element>>(matrix.re[i]), static_cast<Real<Element>>(matrix.im[i]));
            } else {
                values[i] = static_cast<Element>(matrix.re[i]);
            }
        }
        copy(*stream_, view,
             StridedView({.data = values.data(), .dtype = data_type<Element>, .shape = {matrix.rows, matrix.columns}}));
        stream_->synchronize();
        return view;
    }
    template <class Element>
    HostMatrix download(const StridedView& view) {
        const StridedView matrix = view.rank() == 1 ? view.unsqueeze(1) : view;
        HostMatrix result(matrix.shape()[0], matrix.shape()[1]);
        std::vector<Element> values(result.re.size());
        copy(*stream_, StridedView({.data = values.data(), .dtype = data_type<Element>, .shape = matrix.shape()}), matrix);
        stream_->synchronize();
        for (std::size_t i = 0; i < values.size(); ++i) {
            result.re[i] = static_cast<double>(std::real(values[i]));
            result.im[i] = static_cast<double>(std::imag(values[i]));
        }
        return result;
    }
    /// Returns a Hermitian matrix that is positive definite.
    template <class Element>
    static HostMatrix positive_definite(std::int64_t n) {
        const HostMatrix random = HostMatrix::random<Element>(n, n);
        HostMatrix product = random * random.adjoint();
        for (std::size_t i = 0; i < product.re.size(); ++i) {
            product.re[i] = static_cast<double>(static_cast<float>(product.re[i] / static_cast<double>(n)));
            product.im[i] = static_cast<double>(static_cast<float>(product.im[i] / static_cast<double>(n)));
        }
        for (std::int64_t i = 0; i < n; ++i) product.re[product.at(i, i)] += 1;
        return product;
    }
    /// Replaces the elements above the diagonal, or below it, by numbers that nobody may read.
    static HostMatrix spoiled(HostMatrix matrix, bool above) {
        for (std::int64_t i = 0; i < matrix.rows; ++i)
            for (std::int64_t j = 0; j < matrix.columns; ++j)
                if (above ? j > i : j < i) matrix.re[matrix.at(i, j)] = 1e6;
        return matrix;
    }

    std::optional<Device> device_;
    std::optional<Stream> stream_;
};

}  // namespace cubind::testing
