// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>

/// @file
/// Annotations for profilers: ranges and marks that tools such as Nsight Systems show beside the calls of CUDA (NVTX, version 3).
///
/// NVTX is an interface between a program and a tool. There is no library of NVIDIA between them: a tool names its library in the
/// environment variable NVTX_INJECTION64_PATH, or is loaded before the program, and the program gives it a table of functions to
/// fill in. NVIDIA's implementation of the program's side is a set of headers, which cubind would have to require or to copy, so
/// cubind has its own. Both can be used in one program: a tool serves each separately. Without a tool, each function returns at
/// once. In setuid programs, the environment variable is ignored.
namespace CUBIND_NAMESPACE {

template <class Record>
class NvtxPayloadSchema;

/// A number that a range or a mark shows, or a record: see NvtxPayloadSchema.
class NvtxPayload {
public:
    /// Creates a payload of a signed integer.
    NvtxPayload(std::signed_integral auto value) noexcept : kind_(2), bits_(static_cast<std::uint64_t>(std::int64_t{value})) {}
    /// Creates a payload of an unsigned integer.
    NvtxPayload(std::unsigned_integral auto value) noexcept : kind_(1), bits_(value) {}
    /// Creates a payload of a floating-point number, as a double.
    NvtxPayload(std::floating_point auto value) noexcept
        : kind_(3), bits_(std::bit_cast<std::uint64_t>(static_cast<double>(value))) {}

    /// Returns the kind of the payload in the interface: 0 for none, 1 for unsigned integers, 2 for signed ones, 3 for doubles,
    /// another number for records.
    [[nodiscard]] std::int32_t kind() const noexcept { return kind_; }
    /// Returns the 64 bits of the number, or the address of what describes the record, which is a part of this object.
    [[nodiscard]] std::uint64_t bits() const noexcept {
        return kind_ == record_kind ? reinterpret_cast<std::uintptr_t>(&record_) : bits_;
    }
    /// Returns whether it is a record.
    [[nodiscard]] bool is_record() const noexcept { return kind_ == record_kind; }

private:
    template <class Record>
    friend class NvtxPayloadSchema;

    // The layout is a part of the interface.
    struct RecordOf {
        std::uint64_t schema = 0;
        std::size_t size = 0;
        const void* address = nullptr;
    };
    CUBIND_HIDDEN static constexpr auto record_kind = static_cast<std::int32_t>(0xDFBD0009);

    NvtxPayload(std::uint64_t schema, const void* record, std::size_t size) noexcept
        : kind_(schema != 0 ? record_kind : 0), bits_(0), record_{schema, size, record} {}

    std::int32_t kind_;
    std::uint64_t bits_;
    RecordOf record_ = {};
};

/// A category of a domain, whose name the tool knows: `{.category = input}` puts a range or a mark into it. It is valid until its
/// domain is destroyed, and as cheap to copy as its number. Any thread may use it.
///
///     const NvtxCategory input = domain.category("input");
///     NvtxRange range(domain, "read mesh", {.category = input});
class NvtxCategory {
public:
    /// Returns the number, which no other category of this kind has in this process. Numbers begin at 65536, so that the program
    /// may choose smaller ones for NvtxDomainRef::name_category().
    [[nodiscard]] std::uint32_t number() const noexcept { return number_; }
    /// Returns number().
    operator std::uint32_t() const noexcept { return number_; }

private:
    friend class NvtxDomainRef;
    explicit NvtxCategory(std::uint32_t number) noexcept : number_(number) {}

    std::uint32_t number_;
};

/// The optional properties of a range or a mark.
struct NvtxAttributes {
    std::optional<std::uint32_t> color = {};  ///< color as 0xAARRGGBB: alpha, red, green, blue
    std::uint32_t category = 0;               ///< number of a category of the domain; 0 is none
    std::optional<NvtxPayload> payload = {};  ///< a number or a record
};

/// A text that the tool has copied once (NvtxDomainRef::register_string()), so that ranges and marks pass a number instead. It
/// belongs to its domain and is valid until the domain is destroyed. As cheap to copy as a pointer. Any thread may use it.
class NvtxString {
public:
    /// The type of the native handle, nvtxStringHandle_t of NVTX.
    using Handle = const void*;

    /// Returns the native handle. It is null without a tool.
    [[nodiscard]] Handle native_handle() const noexcept { return handle_; }
    /// Returns whether both are the same registered text.
    [[nodiscard]] friend bool operator==(NvtxString, NvtxString) noexcept = default;

private:
    friend class NvtxDomainRef;
    explicit NvtxString(Handle handle) noexcept : handle_(handle) {}

    Handle handle_ = nullptr;
};

/// The text of a range or a mark: a C string, which the tool copies each time, or a registered one. A parameter; the text must
/// live until the call returns.
class NvtxMessage {
public:
    /// Creates a message of a string; nullptr is none.
    NvtxMessage(const char* text) noexcept : kind_(text != nullptr ? 1 : 0), text_(text) {}
    /// Creates a message of a string that the domain of the range or mark has registered.
    NvtxMessage(NvtxString text) noexcept : kind_(text.native_handle() != nullptr ? 3 : 0), text_(text.native_handle()) {}

    /// Returns the kind of the message in the interface: 0 for none, 1 for strings, 3 for registered ones.
    [[nodiscard]] std::int32_t kind() const noexcept { return kind_; }
    /// Returns the string or the handle.
    [[nodiscard]] const void* text() const noexcept { return text_; }

private:
    std::int32_t kind_;
    const void* text_;
};

template <class Value>
class NvtxCounter;

/// The optional properties of a counter. `Value` is std::int64_t or double.
template <class Value>
struct NvtxCounterOptions {
    const char* unit = nullptr;         ///< unit of the values, such as "bytes"
    const char* description = nullptr;  ///< what the values say
    std::optional<Value> minimum = {};  ///< smallest value of the tool's axis
    std::optional<Value> maximum = {};  ///< largest value of the tool's axis
};

/// A view of a domain: the ranges and marks of one library or program. Tools can filter by domain. A view is as cheap to copy as
/// the handle. Any thread may use it.
class CUBIND_EXPORT NvtxDomainRef {
public:
    /// The type of the native handle, nvtxDomainHandle_t of NVTX.
    using Handle = void*;

    /// Creates a view of the domain for everything that has no domain of its own.
    NvtxDomainRef() noexcept = default;

    /// Shows a point in time (nvtxDomainMarkEx).
    void mark(NvtxMessage message, const NvtxAttributes& attributes = {}) const noexcept;
    /// Gives the tool a text that many ranges or marks of this domain have (nvtxDomainRegisterStringA). Throws
    /// std::invalid_argument for nullptr.
    [[nodiscard]] NvtxString register_string(const char* text) const;
    /// Creates a counter of this domain, whose samples tools draw over time; defined in <cubind/nvtx/nvtx_counter.hpp>.
    /// `Value` is std::int64_t or double. Throws std::invalid_argument for nullptr, and for a minimum above the maximum.
    template <class Value = std::int64_t>
    [[nodiscard]] NvtxCounter<Value> counter(const char* name, const NvtxCounterOptions<Value>& options = {}) const;
    /// Creates a category of this domain with this name and a number of its own (nvtxDomainNameCategoryA). Throws
    /// std::invalid_argument for nullptr.
    [[nodiscard]] NvtxCategory category(const char* name) const;
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
///     const NvtxCategory input = domain.category("input");
///     NvtxRange range(domain, "read mesh", {.color = 0xFF00A000, .category = input, .payload = elements});
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
