// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "spec/version.hpp"

#include <algorithm>
#include <cctype>
#include <functional>

#include "error.hpp"
#include "join_strings.hpp"
#include "spec/release.hpp"

namespace cubind::gen::spec {
namespace {

bool is_identifier(const std::string& text) {
    const auto is_part = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; };
    return !text.empty() && std::isdigit(static_cast<unsigned char>(text.front())) == 0 &&
           std::all_of(text.begin(), text.end(), is_part);
}

/// Splits the number of a single macro into its parts. Without weights, the numbers are the parts.
std::vector<std::int64_t> parts_of(const VersionConfig& config, const std::vector<std::int64_t>& numbers) {
    if (config.weights.empty()) return numbers;
    std::vector<std::int64_t> parts;
    std::int64_t rest = numbers.front();
    for (const auto weight : config.weights) {
        parts.push_back(rest / weight);
        rest %= weight;
    }
    return parts;
}

}  // namespace

void check_weights(const std::vector<std::int64_t>& weights, const std::string& place) {
    const bool is_falling = std::adjacent_find(weights.begin(), weights.end(), std::less_equal<>()) == weights.end();
    if (weights.size() >= 2 && weights.size() <= 3 && is_falling && weights.back() >= 1 && weights.front() <= 1000000) return;
    std::string text;
    for (const auto weight : weights) text += (text.empty() ? "" : ", ") + std::to_string(weight);
    throw InputError(place + ": the weights are [" + text +
                     "]; state two or three numbers from 1000000 to 1, each smaller than the one before it, such as [1000, 100, "
                     "1] for 12514 as 12.5.14");
}

void check_version_config(const VersionConfig& config, const std::string& place) {
    const auto is_printable = [](unsigned char c) {
        return std::isalnum(c) != 0 || c == ' ' || c == '-' || c == '.' || c == '+';
    };
    if (config.product.empty() || !std::all_of(config.product.begin(), config.product.end(), is_printable)) {
        throw InputError(place + "/product: \"" + config.product +
                         "\" must be a name of letters, digits, blanks, -, . and +; it precedes version numbers in texts");
    }
    for (const auto& macro : config.macros) {
        if (!is_identifier(macro)) throw InputError(place + "/macros: \"" + macro + "\" is no identifier; correct the name");
    }
    if (!config.weights.empty()) {
        check_weights(config.weights, place + "/weights");
        if (config.macros.size() == 1) return;
        throw InputError(place + "/macros: with weights, one macro holds the version, but there are " +
                         std::to_string(config.macros.size()) + "; name one macro, or remove the weights");
    }
    if (config.macros.size() == 2 || config.macros.size() == 3) return;
    throw InputError(place + "/macros: there are " + std::to_string(config.macros.size()) +
                     "; name the macros of major, minor and patch, or one macro and its weights");
}

std::string version_text(const VersionConfig& config, const std::vector<std::int64_t>& numbers, const std::string& place) {
    const std::vector<std::int64_t> parts = parts_of(config, numbers);
    std::string text;
    for (std::size_t index = 0; index < 3; ++index) {
        text += (index == 0 ? "" : ".") + std::to_string(index < parts.size() ? parts[index] : 0);
    }
    if (release_number(text) != 0) return text;
    throw InputError(place + ": the version is " + text + " according to " + join_strings(config.macros) +
                     ", but each part must be a number up to 999 and one must not be 0; correct the macros or weights in "
                     "library.json");
}

std::string version_expression(const VersionConfig& config) {
    constexpr const char* factors[] = {" * 1000000", " * 1000", ""};
    std::vector<std::string> parts = config.macros;
    if (!config.weights.empty()) {
        parts.clear();
        for (std::size_t index = 0; index < config.weights.size(); ++index) {
            std::string part = config.macros.front();
            if (index > 0) part += " % " + std::to_string(config.weights[index - 1]);
            if (config.weights[index] > 1) part += " / " + std::to_string(config.weights[index]);
            parts.push_back(std::move(part));
        }
    }
    std::string text;
    for (std::size_t index = 0; index < parts.size(); ++index) text += (index == 0 ? "" : " + ") + parts[index] + factors[index];
    return text;
}

}  // namespace cubind::gen::spec
