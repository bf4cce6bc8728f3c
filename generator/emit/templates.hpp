// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "spec/json.hpp"

#include <kainjow/mustache.hpp>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace cubind::gen::emit {

/// Data in the form that the mustache library wants. Every object in a list also says whether it is the `first` and the
/// `last`, so that separators can stand in templates.
using Data = kainjow::mustache::basic_data<std::string>;
Data to_data(const spec::Json& json);

/// The folder of templates. Strict: a variable that the data lacks is an error, never an empty string.
class Templates {
public:
    /// Reads every *.mustache file of `folder`.
    explicit Templates(const std::filesystem::path& folder);

    /// Renders the template `name` (without ending). Looks a variable up in the last of `scopes` first. Throws InputError
    /// naming template, line and variable.
    std::string render(const std::string& name, const std::vector<const Data*>& scopes) const;

private:
    friend class StrictContext;

    /// `text` with the partials that it names put in their places, except those of `open`, which are being put in already.
    std::string inlined(std::string text, const std::vector<std::string>& open) const;

    std::filesystem::path folder_;
    std::map<std::string, std::string> texts_;  ///< as read
    std::map<std::string, Data> partials_;      ///< as rendered
};

}  // namespace cubind::gen::emit
