// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core.hpp>
#include <cubind/math/decompositions.hpp>
#include <cubind/math/least_squares.hpp>
#include <cubind/math/solve.hpp>

#include <cmath>
#include <complex>
#include <cstdint>
#include <vector>

#include "math_test.hpp"
#include "solver_stand_in.hpp"

namespace cubind::testing {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// Tests with stand-ins for cuSOLVER and cuBLAS, and simulated devices.
class SolverTest : public CoreTest {
protected:
    static constexpr auto rows_first = MemoryOrder::row_major;
    static constexpr auto columns_first = MemoryOrder::column_major;

    SolverTest() { device_.set_current(); }

    static SolverStandIn& stand_in() { return solver_stand_in(); }
    /// Returns the latest call.
    static const SolverRecord& latest() { return stand_in().calls.back(); }
    /// Returns the texts of all calls, and forgets them.
    static std::vector<std::string> taken_calls() {
        std::vector<std::string> texts;
        for (const SolverRecord& each : stand_in().calls) texts.push_back(each.text);
        stand_in().calls.clear();
        return texts;
    }

    /// Returns a matrix with the elements 10 i + j, and `gap` elements between its columns or rows.
    template <class Element = double>
    StridedView matrix(std::int64_t rows, std::int64_t columns, MemoryOrder order = columns_first, std::int64_t gap = 0) {
        const Dimensions strides = order == columns_first ? Dimensions{1, rows + gap} : Dimensions{columns + gap, 1};
        const auto count = static_cast<std::size_t>((rows + gap) * (columns + gap));
        const auto buffer = device_.allocate<Element>(stream_, count == 0 ? 1 : count);
        StridedView view(buffer, {rows, columns}, strides);
        std::vector<Element> values;
        for (std::int64_t i = 0; i < rows; ++i)
            for (std::int64_t j = 0; j < columns; ++j)
                values.push_back(Element(static_cast<decltype(std::abs(Element()))>(10 * i + j)));
        copy(stream_, view, StridedView({.data = values.data(), .dtype = data_type<Element>, .shape = {rows, columns}}));
        stream_.synchronize();
        return view;
    }
    /// Returns a vector of elements without values.
    template <class Element = double>
    StridedView vector(std::int64_t count) {
        return StridedView(device_.allocate<Element>(stream_, static_cast<std::size_t>(count)), {count});
    }
    /// Returns the elements of a matrix of double, row by row.
    std::vector<double> elements(const StridedView& view) {
        std::vector<double> values(view.size());
        copy(stream_, StridedView({.data = values.data(), .dtype = data_type<double>, .shape = view.shape()}), view);
        stream_.synchronize();
        return values;
    }
    /// Returns doubles at an address.
    std::vector<double> elements(const void* address, std::size_t count) {
        const auto extent = static_cast<std::int64_t>(count);
        return elements(StridedView::view_of(static_cast<const double*>(address), {extent}));
    }
    std::vector<double> elements_of_matrix(std::int64_t rows, std::int64_t columns) { return elements(matrix(rows, columns)); }

    ScopedSolverStandIn stand_in_;
    Device device_{0};
    Stream stream_{device_};
};

}  // namespace cubind::testing
