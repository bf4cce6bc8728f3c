// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <bit>
#include <concepts>
#include <cstdint>
#include <optional>

/// Annotations for profilers: ranges and marks that tools such as Nsight Systems show beside the calls of CUDA (NVTX, version 3).
/// <cubind/core.hpp> does not include this header, because few files need it.
///
/// NVTX is an interface between a program and a tool. There is no library of NVIDIA between them: a tool names its library in the
/// environment variable NVTX_INJECTION64_PATH, or is loaded before the program, and the program gives it a table of functions to
/// fill in. NVIDIA's implementation of the program's side is a set of headers, which cubind would have to require or to copy, so
/// cubind has its own. Both can be used in one program: a tool serves each separately. Without a tool, each function returns at
/// once. In setuid programs, the environment variable is ignored.
namespace CUBIND_NAMESPACE {

/// A number that a range or a mark shows.
class NvtxPayload {
public:
    /// Creates a payload of a signed integer.
    NvtxPayload(std::signed_integral auto value) noexcept : kind_(2), bits_(static_cast<std::uint64_t>(std::int64_t{value})) {}
    /// Creates a payload of an unsigned integer.
    NvtxPayload(std::unsigned_integral auto value) noexcept : kind_(1), bits_(value) {}
    /// Creates a payload of a floating-point number, as a double.
    NvtxPayload(std::floating_point auto value) noexcept
        : kind_(3), bits_(std::bit_cast<std::uint64_t>(static_cast<double>(value))) {}

    /// Returns the kind of the number in the interface: 1 for unsigned integers, 2 for signed ones, 3 for doubles.
    [[nodiscard]] std::int32_t kind() const noexcept { return kind_; }
    /// Returns the 64 bits of the number.
    [[nodiscard]] std::uint64_t bits() const noexcept { return bits_; }

private:
    std::int32_t kind_;
    std::uint64_t bits_;
};

/// The optional properties of a range or a mark.
struct NvtxAttributes {
    std::optional<std::uint32_t> color = {};  ///< color as 0xAARRGGBB: alpha, red, green, blue
    std::uint32_t category = 0;               ///< number of a category of the domain; 0 is none
    std::optional<NvtxPayload> payload = {};  ///< a number
};

/// A view of a domain: the ranges and marks of one library or program. Tools can filter by domain. A view is as cheap to copy as
/// the handle. Any thread may use it.
class CUBIND_EXPORT NvtxDomainRef {
public:
    /// The type of the native handle, nvtxDomainHandle_t of NVTX.
    using Handle = void*;

    /// Creates a view of the domain for everything that has no domain of its own.
    NvtxDomainRef() noexcept = default;

    /// Shows a point in time. The tool copies the message; nullptr is none (nvtxDomainMarkEx).
    void mark(const char* message, const NvtxAttributes& attributes = {}) const noexcept;
    /// Gives a category of this domain a name (nvtxDomainNameCategoryA). The program chooses the number. Throws
    /// std::invalid_argument for category 0 and for nullptr.
    void name_category(std::uint32_t category, const char* name) const;

    /// Returns the native handle. It is null for the common domain, and without a tool.
    [[nodiscard]] Handle native_handle() const noexcept { return handle_; }
    /// Returns whether both are the same domain.
    [[nodiscard]] friend bool operator==(NvtxDomainRef, NvtxDomainRef) noexcept = default;

protected:
    /// Creates a view of a domain.
    explicit NvtxDomainRef(Handle handle) noexcept : handle_(handle) {}

private:
    friend class NvtxDomain;

    Handle handle_ = nullptr;
};

/// An owner of a domain. It must outlive its ranges. Move-only; an object that was moved from is the common domain.
///
///     const NvtxDomain domain("solver");
///     domain.name_category(1, "input");
///     NvtxRange range(domain, "read mesh", {.color = 0xFF00A000, .category = 1, .payload = elements});
///     domain.mark("converged");
class CUBIND_EXPORT NvtxDomain : public NvtxDomainRef {
public:
    /// Creates a domain with this name (nvtxDomainCreateA). Throws std::invalid_argument for nullptr.
    explicit NvtxDomain(const char* name);
    /// Moves the domain.
    NvtxDomain(NvtxDomain&& other) noexcept;
    /// Destroys the domain of this object, and moves the other one.
    NvtxDomain& operator=(NvtxDomain&& other) noexcept;
    NvtxDomain(const NvtxDomain&) = delete;
    NvtxDomain& operator=(const NvtxDomain&) = delete;
    /// Destroys the domain (nvtxDomainDestroy).
    ~NvtxDomain();
};

/// Returns whether a tool receives ranges and marks. The first call of any function for NVTX looks for the tool.
[[nodiscard]] CUBIND_EXPORT bool has_nvtx_tool() noexcept;

}  // namespace CUBIND_NAMESPACE
