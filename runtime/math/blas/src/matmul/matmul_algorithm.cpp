// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/math/matmul_algorithm.hpp>

#include <algorithm>
#include <cstring>
#include <string_view>

#include "matmul/matmul_state.hpp"

namespace CUBIND_NAMESPACE::math {
namespace {

// The first bytes. The last digit is the version of the format.
constexpr std::string_view algorithm_magic = "cubind matmul 1\n";

std::uint64_t checksum_of(std::span<const std::byte> bytes) noexcept {  // FNV-1a
    std::uint64_t sum = 0xcbf29ce484222325;
    for (const std::byte each : bytes) sum = (sum ^ static_cast<std::uint64_t>(each)) * 0x100000001b3;
    return sum;
}

}  // namespace

namespace detail {

MatmulAlgorithm AlgorithmAccess::make(const cublaslt::cublasLtMatmulHeuristicResult_t& result, const std::string& problem,
                                      std::uint64_t version) {
    MatmulAlgorithm algorithm;
    std::memcpy(algorithm.words_.data(), &result.algo, sizeof algorithm.words_);
    algorithm.problem_ = problem;
    algorithm.library_version_ = version;
    algorithm.workspace_size_ = result.workspaceSize;
    algorithm.waves_ = result.wavesCount;
    return algorithm;
}

cublaslt::cublasLtMatmulAlgo_t AlgorithmAccess::native(const MatmulAlgorithm& algorithm) noexcept {
    cublaslt::cublasLtMatmulAlgo_t native;
    static_assert(sizeof native == sizeof algorithm.words_);
    std::memcpy(&native, algorithm.words_.data(), sizeof native);
    return native;
}

}  // namespace detail

std::vector<std::byte> MatmulAlgorithm::to_bytes() const {
    std::vector<std::byte> bytes;
    const auto add = [&](const void* data, std::size_t size) {
        const auto* const first = static_cast<const std::byte*>(data);
        bytes.insert(bytes.end(), first, first + size);
    };
    const std::uint64_t workspace = workspace_size_, length = problem_.size();
    add(algorithm_magic.data(), algorithm_magic.size());
    add(words_.data(), sizeof words_);
    add(&library_version_, sizeof library_version_);
    add(&workspace, sizeof workspace);
    add(&waves_, sizeof waves_);
    add(&length, sizeof length);
    add(problem_.data(), problem_.size());
    const std::uint64_t sum = checksum_of(bytes);
    add(&sum, sizeof sum);
    return bytes;
}

MatmulAlgorithm MatmulAlgorithm::from_bytes(std::span<const std::byte> bytes) {
    const std::size_t given = bytes.size();
    const auto take = [&](void* data, std::size_t size) {
        if (bytes.size() < size)
            detail::throw_misuse("MatmulAlgorithm::from_bytes: the ", given,
                                 " bytes end within the algorithm: read all that was written");
        std::memcpy(data, bytes.data(), size);
        bytes = bytes.subspan(size);
    };
    const std::span<const std::byte> all = bytes;
    MatmulAlgorithm algorithm;
    std::string magic(algorithm_magic.size(), '\0');
    std::uint64_t workspace = 0, length = 0, sum = 0;
    take(magic.data(), magic.size());
    if (magic != algorithm_magic)
        detail::throw_misuse("MatmulAlgorithm::from_bytes: the bytes are no algorithm that this version of cubind has written");
    take(algorithm.words_.data(), sizeof algorithm.words_);
    take(&algorithm.library_version_, sizeof algorithm.library_version_);
    take(&workspace, sizeof workspace);
    take(&algorithm.waves_, sizeof algorithm.waves_);
    take(&length, sizeof length);
    algorithm.problem_.resize(static_cast<std::size_t>(std::min<std::uint64_t>(length, bytes.size())));
    take(algorithm.problem_.data(), static_cast<std::size_t>(length));
    take(&sum, sizeof sum);
    if (!bytes.empty() || sum != checksum_of(all.first(given - sizeof sum)))
        detail::throw_misuse("MatmulAlgorithm::from_bytes: the checksum does not fit the ", given, " bytes: they are damaged");
    algorithm.workspace_size_ = static_cast<std::size_t>(workspace);
    return algorithm;
}

}  // namespace CUBIND_NAMESPACE::math
