// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "emit/templates.hpp"

#include <algorithm>

namespace cubind::gen::emit {
namespace mustache = kainjow::mustache;
namespace {

const std::string ending = ".mustache";

/// A variable that no scope defines, or a partial that no file holds.
struct UnknownVariable {
    std::string name;
    bool is_template = false;
};

/// Stands for a newline while the library renders: it drops blank lines after a section and keeps lines that held only a skipped
/// one, so lines are settled here and it never sees any.
constexpr char newline_mark = '\x01';

/// True if the line is a section, inverted section, closing, comment or partial tag and nothing else.
bool is_lone_tag(std::string_view line) {
    const std::size_t begin = line.find_first_not_of(" \t");
    const std::size_t end = line.find_last_not_of(" \t\r");
    if (begin == std::string_view::npos || end - begin < 5) return false;
    const std::string_view tag = line.substr(begin, end - begin + 1);
    if (!tag.starts_with("{{") || tag.find("}}") != tag.size() - 2) return false;
    return std::string_view("#^/!>").find(tag[2]) != std::string_view::npos;
}

/// Takes the newline off lines that are lone tags, as the mustache specification asks, and marks the others.
std::string settle_lines(const std::string& text) {
    std::string settled;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        const std::string_view line = std::string_view(text).substr(begin, end - begin);
        if (is_lone_tag(line)) {
            settled += line.substr(line.find("{{"), line.rfind("}}") + 2 - line.find("{{"));
        } else {
            settled += line;
            if (end < text.size()) settled += newline_mark;
        }
        begin = end + 1;
    }
    return settled;
}

/// Line of the first tag in `text` that names `variable`; 0 if there is none.
std::size_t line_of(const std::string& text, const std::string& variable) {
    for (std::size_t at = text.find("{{"); at != std::string::npos; at = text.find("{{", at + 2)) {
        const std::size_t begin = text.find_first_not_of("{#^/>& \t", at);
        if (begin == std::string::npos || text.compare(begin, variable.size(), variable) != 0) continue;
        const std::size_t end = begin + variable.size();
        if (end < text.size() && (text[end] == '}' || text[end] == ' ')) {
            return 1 + static_cast<std::size_t>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
        }
    }
    return 0;
}

}  // namespace

/// Looks variables up in the data and partials among the templates.
class StrictContext : public mustache::context<std::string> {
public:
    explicit StrictContext(const Templates& templates) : templates_(templates) {}

    const Data* get(const std::string& name) const override {
        const Data* found = mustache::context<std::string>::get(name);
        if (found == nullptr) throw UnknownVariable{name, false};
        return found;
    }
    const Data* get_partial(const std::string& name) const override {
        const auto text = templates_.partials_.find(name);
        if (text == templates_.partials_.end()) throw UnknownVariable{name, true};
        return &text->second;
    }

private:
    const Templates& templates_;
};

Data to_data(const spec::Json& json) {
    if (json.is_boolean()) return Data(json.get<bool>());
    if (json.is_string()) return Data(json.get_ref<const std::string&>());
    if (json.is_object()) {
        Data data(Data::type::object);
        for (auto entry = json.begin(); entry != json.end(); ++entry) data[entry.key()] = to_data(*entry);
        return data;
    }
    if (json.is_array()) {
        Data list(Data::type::list);
        // Its own push_back would copy every subtree once more at each level.
        auto& items = const_cast<std::vector<Data>&>(list.list_value());
        items.reserve(json.size());
        for (std::size_t index = 0; index < json.size(); ++index) {
            Data item = to_data(json[index]);
            if (!json[index].is_object()) item = Data("value", item);
            item["first"] = Data(index == 0);
            item["last"] = Data(index + 1 == json.size());
            items.push_back(std::move(item));
        }
        return list;
    }
    if (json.is_number_unsigned()) return Data(std::to_string(json.get<std::uint64_t>()));
    if (json.is_number_integer()) return Data(std::to_string(json.get<std::int64_t>()));
    return Data(json.is_null() ? std::string() : json.dump());
}

Templates::Templates(const std::filesystem::path& folder) : folder_(folder) {
    if (!std::filesystem::is_directory(folder)) {
        throw InputError(folder.string() + ": is not a folder; give the folder of the templates with --templates or --root");
    }
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        const std::string name = entry.path().filename().string();
        if (!name.ends_with(ending)) continue;
        texts_.emplace(name.substr(0, name.size() - ending.size()), spec::read_text(entry.path()));
    }
    for (const auto& [name, text] : texts_) partials_.emplace(name, Data(inlined(settle_lines(text), {name})));
}

std::string Templates::inlined(std::string text, const std::vector<std::string>& open) const {
    const std::string mark = "{{>";
    for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at)) {
        const std::size_t end = text.find("}}", at);
        const std::string name = text.substr(at + mark.size(), end - at - mark.size());
        const auto partial = texts_.find(name);
        const bool recursive = std::find(open.begin(), open.end(), name) != open.end();
        if (partial == texts_.end() || recursive) {
            at = end;
            continue;
        }
        std::vector<std::string> opened = open;
        opened.push_back(name);
        const std::string body = inlined(settle_lines(partial->second), opened);
        text.replace(at, end + 2 - at, body);
        at += body.size();
    }
    return text;
}

std::string Templates::render(const std::string& name, const std::vector<const Data*>& scopes) const {
    const std::string file = (folder_ / (name + ending)).string();
    const auto entry = partials_.find(name);
    if (entry == partials_.end()) throw InputError(file + ": does not exist; restore the template");
    mustache::mustache parsed(entry->second.string_value());
    if (!parsed.is_valid()) throw InputError(file + ": " + parsed.error_message() + "; mend the tag");
    parsed.set_custom_escape([](const std::string& text) { return text; });
    StrictContext context(*this);
    for (const Data* scope : scopes) context.push(scope);
    std::string text;
    try {
        text = parsed.render(context);
    } catch (const UnknownVariable& unknown) {
        std::string place = file;
        std::size_t line = line_of(texts_.at(name), unknown.name);
        for (auto other = texts_.begin(); line == 0 && other != texts_.end(); ++other) {
            line = line_of(other->second, unknown.name);
            if (line > 0) place = (folder_ / (other->first + ending)).string();
        }
        if (line > 0) place += ":" + std::to_string(line);
        throw InputError(place + ": " +
                         (unknown.is_template ? "there is no template \"" + unknown.name + "\"; correct its name or add it to " +
                                                    folder_.string()
                                              : "nothing defines the variable \"" + unknown.name +
                                                    "\"; correct its name, the other templates show what there is"));
    }
    if (!parsed.is_valid()) throw InputError(file + ": " + parsed.error_message() + "; mend the tag");
    std::replace(text.begin(), text.end(), newline_mark, '\n');
    return text;
}

}  // namespace cubind::gen::emit
