// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <kainjow/mustache.hpp>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "spec/json.hpp"

namespace cubind::gen::emit {

/// Data in the form that the mustache library requires. Every object in a list has a flag `first`, so that separators can stand
/// in templates.
using Data = kainjow::mustache::basic_data<std::string>;
Data to_data(const spec::Json& json);

struct UnknownVariable;

/// The folder of templates. Strict: a variable that the data lacks is an error, never an empty string. A partial that stands
/// alone on an indented line indents every line that it renders.
class Templates {
public:
    /// Reads every *.mustache file of `folder`.
    explicit Templates(const std::filesystem::path& folder);

    /// Renders the template `name` (without ending). Looks a variable up in the last of `scopes` first. Throws InputError
    /// naming template, line and variable.
    std::string render(const std::string& name, const std::vector<const Data*>& scopes) const;

private:
    friend class StrictContext;
    friend class Template;

    /// Replaces the partials in `text` by their templates, except those of `open`, which contain `text`.
    std::string inline_partials(std::string text, const std::vector<std::string>& open) const;
    const Data& partial(const std::string& name) const;
    [[noreturn]] void fail(const std::string& name, const UnknownVariable& unknown) const;
    std::string file_of(const std::string& name) const;

    std::filesystem::path folder_;
    std::map<std::string, std::string> texts_;  ///< texts of the template files by name
    std::map<std::string, Data> partials_;      ///< partials by the names by which templates include them
};

/// A parsed template, for rendering more than once. Only one thread at a time may use it; `templates` must outlive it.
class Template {
public:
    /// Throws InputError if there is no template `name`, or if it cannot be parsed.
    Template(const Templates& templates, const std::string& name);

    /// Renders the template like Templates::render().
    std::string render(const std::vector<const Data*>& scopes);

private:
    void require_valid() const;

    const Templates& templates_;
    std::string name_;
    kainjow::mustache::basic_mustache<std::string> parsed_;
};

}  // namespace cubind::gen::emit
