// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "golden/golden_case.hpp"

#include "emit/output_tree.hpp"
#include "extract/extractor.hpp"
#include "extract/header_release.hpp"
#include "model/build.hpp"
#include "spec/facts_file.hpp"

#include <algorithm>

namespace cubind::testing {
namespace fs = std::filesystem;
namespace {

const fs::path golden = fs::path(CUBIND_GENERATOR_TESTS) / "golden";
const fs::path repository = CUBIND_REPOSITORY;

/// The last part of a path.
std::string base_name(const std::string& path) {
    return path.substr(path.rfind('/') + 1);
}

}  // namespace

std::vector<std::string> GoldenCase::names() {
    std::vector<std::string> found;
    for (const auto& entry : fs::directory_iterator(golden)) {
        if (fs::exists(entry.path() / "toy.h")) found.push_back(entry.path().filename().string());
    }
    std::sort(found.begin(), found.end());
    return found;
}

GoldenCase::GoldenCase(const std::string& name) : folder_(golden / name) {
    merge("library.json");
    merge("overrides.json");
    const auto library = gen::spec::read_library(scratch_.below("api-specs/toy/library.json"));
    per_thread_macro_ = library.per_thread_macro;
    const auto facts = gen::extract::extract(library, vendor_includes(), gen::extract::find_release({library}, vendor_includes()));
    scratch_.write("api-specs/toy/api.json", gen::spec::facts_text(facts));
    const auto model = gen::model::build(scratch_.below("api-specs"), "toy");
    gen::model::require_decided(model);
    outputs_ = gen::emit::render_library(model, gen::emit::Templates(repository / "templates"));
    gen::emit::write(scratch_.below("generated"), outputs_, {"toy"});
}

void GoldenCase::merge(const std::string& file) const {
    gen::spec::Json merged = gen::spec::read_json(golden / "base" / file);
    if (fs::exists(folder_ / file)) merged.merge_patch(gen::spec::read_json(folder_ / file));
    scratch_.write("api-specs/toy/" + file, gen::spec::to_text(merged));
}

std::map<std::string, std::string> GoldenCase::generated() const {
    std::map<std::string, std::string> files;
    for (const auto& [path, text] : outputs_) files[base_name(path)] = text.substr(text.find('\n') + 1);
    return files;
}

std::vector<std::string> GoldenCase::expected_files() const {
    std::vector<std::string> found;
    for (const auto& entry : outputs_) {
        if (fs::exists(folder_ / base_name(entry.first))) found.push_back(base_name(entry.first));
    }
    return found;
}

std::vector<fs::path> GoldenCase::includes() const {
    return {scratch_.below("generated/toy/include"), scratch_.below("generated/toy/src"), repository / "runtime/loader/include"};
}

std::vector<fs::path> GoldenCase::vendor_includes() const {
    return {folder_, golden / "base"};
}

}  // namespace cubind::testing
