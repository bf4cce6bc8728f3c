// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "commands/commands.hpp"
#include "commands/parallel.hpp"
#include "emit/output_tree.hpp"
#include "extract/extractor.hpp"
#include "spec/facts_file.hpp"
#include "spec/library.hpp"

#include <iostream>

namespace cubind::gen::commands {

int extract(const Folders& folders, const std::vector<std::string>& wanted, const std::vector<fs::path>& includes) {
    const auto libraries = known_libraries(folders, wanted);
    struct Extracted {
        spec::Facts facts;
        std::string text;
    };
    const auto extracted = for_each_library(libraries, "reading the headers of", [&](const std::string& library) {
        spec::Facts facts = extract::extract(spec::read_library(folders.specs / library / "library.json"), includes);
        std::string text = spec::facts_text(facts);
        return Extracted{std::move(facts), std::move(text)};
    });
    // Nothing is written before every library was read.
    for (std::size_t index = 0; index < libraries.size(); ++index) {
        const auto& [entry, text] = extracted[index];
        emit::write_file(folders.specs / libraries[index] / "api.json", text);
        std::cout << libraries[index] << ": CUDA " << entry.releases.back() << ", " << entry.functions.size() << " functions, "
                  << entry.enums.size() + entry.records.size() + entry.handles.size() + entry.aliases.size() +
                         entry.callbacks.size()
                  << " types, " << entry.constants.size() << " constants\n";
    }
    return 0;
}

}  // namespace cubind::gen::commands
