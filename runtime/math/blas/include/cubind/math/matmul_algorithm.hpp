// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

/// @file
/// Algorithms of products of matrices, to be stored.

namespace CUBIND_NAMESPACE::math {

namespace detail {
struct AlgorithmAccess;
}  // namespace detail

/// An algorithm of cuBLASLt for one problem on one kind of device. Its bytes can be stored and used by other processes with the
/// same version of the library.
///
///     product.autotune(stream, a, b, d);
///     write(file, product.algorithm().to_bytes());
///     ...
///     product.use(math::MatmulAlgorithm::from_bytes(read(file)));
class CUBIND_EXPORT MatmulAlgorithm {
public:
    /// Reads what to_bytes() has written. Throws std::invalid_argument for other or damaged bytes. Whether the algorithm fits a
    /// plan is checked by Matmul::use().
    [[nodiscard]] static MatmulAlgorithm from_bytes(std::span<const std::byte> bytes);

    /// Returns some hundred bytes, of the same meaning on all machines of one byte order.
    [[nodiscard]] std::vector<std::byte> to_bytes() const;

    /// Returns the problem: shapes, layouts, types, precision, epilogue and device.
    [[nodiscard]] const std::string& problem() const noexcept { return problem_; }
    /// Returns the version of the library, such as 130100 (cublasLtGetVersion).
    [[nodiscard]] std::uint64_t library_version() const noexcept { return library_version_; }
    /// Returns the bytes of its workspace.
    [[nodiscard]] std::size_t workspace_size() const noexcept { return workspace_size_; }
    /// Returns how often the device is filled with blocks, as the library estimates it. More than 1 and little over a whole
    /// number is inefficient.
    [[nodiscard]] float waves() const noexcept { return waves_; }

    /// Returns whether both are the same algorithm for the same problem.
    [[nodiscard]] friend bool operator==(const MatmulAlgorithm& left, const MatmulAlgorithm& right) noexcept {
        return left.words_ == right.words_ && left.problem_ == right.problem_ && left.library_version_ == right.library_version_;
    }

private:
    friend struct detail::AlgorithmAccess;
    MatmulAlgorithm() = default;

    std::array<std::uint64_t, 8> words_ = {};
    std::string problem_;
    std::uint64_t library_version_ = 0;
    std::size_t workspace_size_ = 0;
    float waves_ = 0;
};

}  // namespace CUBIND_NAMESPACE::math
