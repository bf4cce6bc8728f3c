// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

/// A library's own version: how its headers state it.
namespace cubind::gen::spec {

/// The macros that state the version: one for each part, or one whose number holds all parts.
struct VersionConfig {
    std::string product;  ///< name before the number in texts; empty if the library states no version
    std::string header;
    std::vector<std::string> macros;    ///< major, minor and, if it exists, patch; or the only macro
    std::vector<std::int64_t> weights;  ///< weights of the parts in the number of the only macro; empty if each part has a macro
    bool operator==(const VersionConfig&) const = default;

    bool is_stated() const { return !macros.empty(); }
};

template <class Archive>
void describe(Archive& archive, VersionConfig& value) {
    archive.required("product", value.product);
    archive.required("header", value.header);
    archive.required("macros", value.macros);
    archive.optional("weights", value.weights);
}

/// Throws InputError with `place` if the macros and weights do not describe a version.
void check_version_config(const VersionConfig& config, const std::string& place);

/// Throws InputError with `place` unless there are two or three weights, each smaller than the one before it.
void check_weights(const std::vector<std::int64_t>& weights, const std::string& place);

/// Returns the version, such as "2.19.3", from the numbers that the macros state. Throws InputError with `place` if a part is
/// larger than 999.
std::string version_text(const VersionConfig& config, const std::vector<std::int64_t>& numbers, const std::string& place);

/// Returns the expression of the preprocessor that computes release_number() of the version from the macros.
std::string version_expression(const VersionConfig& config);

}  // namespace cubind::gen::spec
