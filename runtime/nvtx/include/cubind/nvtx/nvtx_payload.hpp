// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/nvtx/nvtx_domain.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <type_traits>

/// @file
/// Records as payloads of ranges and marks.
namespace CUBIND_NAMESPACE {

namespace detail {

/// A member of a record, as the tool is told.
struct NvtxMember {
    const char* name;
    std::uint64_t type;        ///< number of the type in the interface
    std::uint64_t array_size;  ///< 0 for single values
    std::size_t offset;
};

/// Tells the tool of a schema. Returns its number; 0 without a tool that has the extension.
[[nodiscard]] CUBIND_EXPORT std::uint64_t register_nvtx_schema(NvtxDomainRef domain, const char* name, const NvtxMember* members,
                                                               std::size_t count, std::size_t record_size);

/// Returns the number of a type in the interface.
template <class Type>
constexpr std::uint64_t nvtx_type() {
    if constexpr (std::is_enum_v<Type>) {
        return nvtx_type<std::underlying_type_t<Type>>();
    } else if constexpr (std::is_same_v<Type, const char*> || std::is_same_v<Type, char*>) {
        return 75;
    } else if constexpr (std::is_same_v<Type, NvtxString>) {
        return 80;
    } else if constexpr (std::is_same_v<Type, float>) {
        return 19;
    } else if constexpr (std::is_same_v<Type, double>) {
        return 20;
    } else if constexpr (std::is_pointer_v<Type>) {
        return 23;
    } else {
        static_assert(
            std::is_integral_v<Type> && sizeof(Type) <= 8,
            "a payload of NVTX has integers, enumerations, float, double, C strings, pointers, NvtxString, and arrays of these");
        constexpr std::uint64_t exponent = sizeof(Type) == 1 ? 0 : sizeof(Type) == 2 ? 1 : sizeof(Type) == 4 ? 2 : 3;
        return 11 + 2 * exponent + (std::is_unsigned_v<Type> ? 1 : 0);
    }
}

template <class Type>
struct NvtxElement {
    using Single = Type;
    CUBIND_HIDDEN static constexpr std::uint64_t array_size = 0;
};
template <class Type, std::size_t count>
struct NvtxElement<Type[count]> {
    using Single = Type;
    CUBIND_HIDDEN static constexpr std::uint64_t array_size = count;
};
template <class Type, std::size_t count>
struct NvtxElement<std::array<Type, count>> : NvtxElement<Type[count]> {};

}  // namespace detail

/// A name and a member of a record: {"loss", &Step::loss}.
template <class Record>
class NvtxField {
public:
    /// Creates the field of a member: an integer, an enumeration, a float or a double, a C string, a pointer, an NvtxString, or
    /// an array of these.
    template <class Member>
    NvtxField(const char* name, Member Record::*member) noexcept
        : member_{name, detail::nvtx_type<typename detail::NvtxElement<Member>::Single>(),
                  detail::NvtxElement<Member>::array_size, offset_of(member)} {}

private:
    friend class NvtxPayloadSchema<Record>;

    template <class Member>
    static std::size_t offset_of(Member Record::*member) noexcept {
        const Record record{};
        return static_cast<std::size_t>(reinterpret_cast<const std::byte*>(&(record.*member)) -
                                        reinterpret_cast<const std::byte*>(&record));
    }

    detail::NvtxMember member_;
};

/// Tells the tool what the members of a record mean, so that a range or a mark shows them by name (NVTX's extension for
/// payloads). A schema is valid until its domain is destroyed, and as cheap to copy as a number. Any thread may use it. Without a
/// tool that has the extension, ranges have no payload.
///
///     struct Step { int layer; double loss; };
///     const NvtxPayloadSchema<Step> schema(domain, "step", {{"layer", &Step::layer}, {"loss", &Step::loss}});
///     const Step step{3, 0.25};
///     NvtxRange range(domain, "step", {.payload = schema(step)});
template <class Record>
class NvtxPayloadSchema {
    static_assert(std::is_trivially_copyable_v<Record> && std::default_initializable<Record>,
                  "the records of an NvtxPayloadSchema are copied as bytes");

public:
    /// Creates a schema of a domain (nvtxPayloadSchemaRegister). The tool copies the names. Throws std::invalid_argument for a
    /// name that is nullptr, and without fields.
    NvtxPayloadSchema(NvtxDomainRef domain, const char* name, std::initializer_list<NvtxField<Record>> fields)
        : id_(detail::register_nvtx_schema(domain, name, members_of(fields), fields.size(), sizeof(Record))) {}

    /// Returns a record as a payload. The record must live until the call that shows it returns.
    [[nodiscard]] NvtxPayload operator()(const Record& record) const noexcept { return NvtxPayload(id_, &record, sizeof record); }
    NvtxPayload operator()(const Record&&) const = delete;  ///< Deleted: the record would not live long enough.

    /// Returns the number that the tool chose. It is 0 without a tool that has the extension.
    [[nodiscard]] std::uint64_t id() const noexcept { return id_; }

private:
    static const detail::NvtxMember* members_of(std::initializer_list<NvtxField<Record>> fields) noexcept {
        static_assert(sizeof(NvtxField<Record>) == sizeof(detail::NvtxMember));
        return fields.size() == 0 ? nullptr : &fields.begin()->member_;
    }

    std::uint64_t id_;
};

}  // namespace CUBIND_NAMESPACE
