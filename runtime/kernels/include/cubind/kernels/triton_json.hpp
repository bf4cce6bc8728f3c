// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// @file
/// Reads the metadata of Triton's kernels with nlohmann/json, a library that a program which includes this header must have.

#include <cubind/kernels/triton_function.hpp>

#include <nlohmann/json.hpp>

#include <fstream>
#include <limits>
#include <sstream>
#include <string>
#include <string_view>

namespace CUBIND_NAMESPACE {

namespace detail {

/// Reads the members of Triton's metadata. Exceptions name the member.
class TritonJson {
public:
    TritonJson(std::string_view text, std::string_view place)
        : place_(place), json_(nlohmann::json::parse(text, nullptr, false)) {
        if (json_.is_discarded() || !json_.is_object()) fail("are no JSON object");
    }

    bool has(const char* key) const { return json_.contains(key); }

    std::string text(const char* key) const {
        const nlohmann::json* const value = find(key);
        if (value == nullptr || !value->is_string() || value->get_ref<const std::string&>().empty()) fail("have no text", key);
        return value->get<std::string>();
    }

    /// Returns a number, or `otherwise` if there is no such member.
    template <class Number>
    Number number(const char* key, Number minimum, Number otherwise) const {
        const nlohmann::json* const value = find(key);
        if (value == nullptr) return otherwise;
        const bool is_number = value->is_number_unsigned();
        const auto found = is_number ? value->get<unsigned long long>() : 0;
        if (!is_number || found < static_cast<unsigned long long>(minimum) ||
            found > static_cast<unsigned long long>(std::numeric_limits<Number>::max()))
            fail("have an invalid number", key);
        return static_cast<Number>(found);
    }

    bool truth(const char* key) const {
        const nlohmann::json* const value = find(key);
        if (value == nullptr) return false;
        if (!value->is_boolean()) fail("have an invalid truth value", key);
        return value->get<bool>();
    }

    [[noreturn]] void fail(const char* what, const char* key = "") const { throw_invalid_metadata(place_, what, key); }

private:
    const nlohmann::json* find(const char* key) const {
        const auto found = json_.find(key);
        return found == json_.end() ? nullptr : &*found;
    }

    std::string_view place_;
    nlohmann::json json_;
};

inline TritonMetadata triton_metadata(std::string_view text, std::string_view place) {
    const TritonJson json(text, place);
    TritonMetadata metadata{.name = json.text("name"),
                            .num_warps = json.number("num_warps", 1, 0),
                            .warp_size = json.number("warp_size", 1, 32),
                            .num_ctas = json.number("num_ctas", 1, 1),
                            .shared = json.number<std::size_t>("shared", 0, 0),
                            .launch_cooperative_grid = json.truth("launch_cooperative_grid"),
                            .launch_pdl = json.truth("launch_pdl")};
    if (metadata.num_warps == 0) json.fail("have no number", "num_warps");
    const auto scratch = [&](const char* size, const char* align) -> std::optional<TritonScratch> {
        if (!json.has(size)) return std::nullopt;
        return TritonScratch{json.number<std::size_t>(size, 0, 0), json.number<std::size_t>(align, 1, 1)};
    };
    metadata.global_scratch = scratch("global_scratch_size", "global_scratch_align");
    metadata.profile_scratch = scratch("profile_scratch_size", "profile_scratch_align");
    return metadata;
}

}  // namespace detail

/// Returns the metadata of a kernel of Triton from the text of its JSON file. Throws std::invalid_argument if the text is no such
/// file.
[[nodiscard]] inline TritonMetadata parse_triton_metadata(std::string_view json) {
    return detail::triton_metadata(json, "the given text");
}

/// Returns the metadata of a kernel of Triton from its JSON file. Throws std::invalid_argument if the file cannot be read or is
/// no such file.
[[nodiscard]] inline TritonMetadata read_triton_metadata(const std::string& path) {
    std::ostringstream text;
    if (std::ifstream file(path, std::ios::binary); !(text << file.rdbuf()))
        detail::throw_invalid_metadata(path, "cannot be read");
    return detail::triton_metadata(text.str(), path);
}

}  // namespace CUBIND_NAMESPACE
