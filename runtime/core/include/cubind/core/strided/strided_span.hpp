// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Host code and device code use this header, also with NVRTC, where it has no other headers: strided_view_header() returns its
// text.
#if defined(__CUDACC_RTC__)
#define CUBIND_NAMESPACE cubind
#else
#include <cubind/detail/abi.hpp>
#endif

#if defined(__CUDACC__)
#define CUBIND_HOST_DEVICE __host__ __device__
#else
#define CUBIND_HOST_DEVICE
#endif

namespace CUBIND_NAMESPACE {

/// Elements of an array of `Rank` dimensions: the address of the first element, and for each dimension the number of elements and
/// the distance between them. Trivially copyable: a kernel takes it by value. It retains nothing and checks nothing.
///
///     __global__ void scale(cubind::StridedSpan<float, 2> a, float factor) {                // device code
///         if (threadIdx.x < a.shape[1]) a(blockIdx.x, threadIdx.x) *= factor;
///     }
///
///     launch(stream, config, kernel, view.span<float, 2>(), 2.0f);                          // host code
///
/// The size is (1 + 2 * Rank) * 8 bytes, and 24 bytes for a Rank of 0.
template <class Element, int Rank>
struct StridedSpan {
    static_assert(Rank >= 0, "a StridedSpan has 0 or more dimensions");

    /// The type of the elements, which is const for memory that is only read.
    using element_type = Element;
    /// Whether this is a view, whose bytes are not the elements.
    static constexpr bool is_strided_span = true;

    Element* data;                            ///< the element at index 0 of each dimension
    long long shape[Rank == 0 ? 1 : Rank];    ///< the elements of each dimension
    long long strides[Rank == 0 ? 1 : Rank];  ///< the elements from one index to the next; may be 0 or negative

    /// Returns the number of dimensions.
    CUBIND_HOST_DEVICE static constexpr int rank() { return Rank; }

    /// Returns the number of elements.
    CUBIND_HOST_DEVICE constexpr long long size() const {
        long long count = 1;
        for (int dimension = 0; dimension < Rank; ++dimension) count *= shape[dimension];
        return count;
    }

    /// Returns the element at one index for each dimension. The indices are not checked.
    template <class... Indices>
    CUBIND_HOST_DEVICE constexpr Element& operator()(Indices... indices) const {
        static_assert(sizeof...(Indices) == Rank, "pass one index for each dimension");
        long long offset = 0;
        int dimension = 0;
        ((offset += static_cast<long long>(indices) * strides[dimension++]), ...);
        static_cast<void>(dimension);
        return data[offset];
    }

    /// Returns the element at an index of the only dimension. The index is not checked.
    CUBIND_HOST_DEVICE constexpr Element& operator[](long long index) const {
        static_assert(Rank == 1, "operator[] is for one dimension: use operator() with one index for each dimension");
        return data[index * strides[0]];
    }
};

}  // namespace CUBIND_NAMESPACE

#undef CUBIND_HOST_DEVICE
