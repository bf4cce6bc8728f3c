// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "golden/golden_case.hpp"

#include <algorithm>

#include "emit/output_tree.hpp"
#include "extract/extractor.hpp"
#include "extract/header_release.hpp"
#include "model/build.hpp"
#include "spec/facts_file.hpp"
#include "spec/merge.hpp"
#include "spec/release.hpp"

namespace cubind::testing {
namespace fs = std::filesystem;
namespace {

const fs::path golden = fs::path(CUBIND_GENERATOR_TESTS) / "golden";
const fs::path repository = CUBIND_REPOSITORY;
const std::string base_release = "13040";  // release of base/toy_base.h

/// Returns the last part of a path.
std::string base_name(const std::string& path) {
    return path.substr(path.rfind('/') + 1);
}

/// Returns the releases of the headers toy-RELEASE.h in a folder, oldest first.
std::vector<std::string> releases_in(const fs::path& folder) {
    std::vector<std::string> found;
    for (const auto& entry : fs::directory_iterator(folder)) {
        const std::string stem = entry.path().stem().string();
        if (entry.path().extension() == ".h" && stem.starts_with("toy-")) found.push_back(stem.substr(4));
    }
    std::sort(found.begin(), found.end(), gen::spec::EarlierRelease{});
    return found;
}

}  // namespace

std::vector<std::string> GoldenCase::names() {
    std::vector<std::string> found;
    for (const auto& entry : fs::directory_iterator(golden)) {
        if (!entry.is_directory()) continue;
        if (fs::exists(entry.path() / "toy.h") || !releases_in(entry.path()).empty())
            found.push_back(entry.path().filename().string());
    }
    std::sort(found.begin(), found.end());
    return found;
}

GoldenCase::GoldenCase(const std::string& name) : folder_(golden / name) {
    merge("library.json");
    merge("overrides.json");
    const auto library = gen::spec::read_library(scratch_.below("api-specs/toy/library.json"));
    per_thread_macro_ = library.per_thread_macro;
    find_releases();
    add_side_headers(library);
    gen::spec::Facts facts;
    for (auto& each : releases_) {
        each.number = gen::extract::find_releases({library}, each.includes).at("toy");
        each.is_bound = (library.loading.major == 0 || gen::spec::release_major(each.number) == library.loading.major) &&
                        gen::spec::release_number(each.number) >= gen::spec::release_number(library.loading.oldest) &&
                        (library.loading.refused_from.empty() ||
                         gen::spec::release_number(each.number) < gen::spec::release_number(library.loading.refused_from));
        gen::spec::Facts fresh = gen::extract::extract(library, each.includes, each.number);
        if (library.is_numbered_by_cuda() && library.version.is_stated()) {
            fresh.versions[each.number] = gen::extract::find_version(library, each.includes);
        }
        facts = gen::spec::merge(facts, fresh);
    }
    scratch_.write("api-specs/toy/api.json", gen::spec::facts_text(facts));
    const auto model = gen::model::build(scratch_.below("api-specs"), "toy");
    gen::model::require_decided(model);
    outputs_ = gen::emit::render_library(model, gen::emit::Templates(repository / "templates"));
    gen::emit::FileBatch batch;
    gen::emit::stage(scratch_.below("generated"), outputs_, {"toy"}, batch);
    batch.commit();
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

std::vector<std::string> GoldenCase::public_headers() const {
    const std::string folder = "toy/include/";
    std::vector<std::string> found;
    for (const auto& entry : outputs_) {
        if (entry.first.starts_with(folder) && !base_name(entry.first).starts_with("vendor"))
            found.push_back(entry.first.substr(folder.size()));
    }
    return found;
}

std::vector<fs::path> GoldenCase::includes() const {
    return {scratch_.below("generated/toy/include"), scratch_.below("generated/toy/src"), repository / "runtime/loader/include"};
}

void GoldenCase::add_side_headers(const gen::spec::LibraryConfig& library) {
    for (const auto& [header, side] : library.side_headers) {
        for (const auto& [foreign, lines] : side.foreign) {
            std::string text = "#pragma once\n";
            for (const auto& line : lines) text += line + "\n";
            scratch_.write("foreign/" + foreign, text);
            side_includes_ += "#include <" + foreign + ">\n";
        }
        side_includes_ += "#include <" + header + ">\n";
    }
}

void GoldenCase::find_releases() {
    for (const auto& number : releases_in(folder_)) {
        const std::string folder = "vendor/" + number + "/";
        scratch_.write(folder + "toy.h", read_file(folder_ / ("toy-" + number + ".h")));
        scratch_.write(folder + "toy_base.h", read_file(golden / "base/toy_base.h"));
        scratch_.replace(folder + "toy_base.h", base_release, std::to_string(gen::spec::release_number(number)));
        releases_.push_back({number, {scratch_.below(folder)}, true});
    }
    if (releases_.empty()) releases_.push_back({"", {folder_, golden / "base"}, true});
}

}  // namespace cubind::testing
