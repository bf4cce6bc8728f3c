// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "emit/templates.hpp"

#include <algorithm>
#include <cstdint>

namespace cubind::gen::emit {
namespace mustache = kainjow::mustache;
namespace {

const std::string ending = ".mustache";

/// Replaces newlines while the mustache library renders. That library drops blank lines after a section and keeps lines that hold
/// only a skipped section, so lines are handled here instead.
constexpr char newline_mark = '\x01';

/// Marks around a partial that stands alone on an indented line: indent_begin, the indentation, indent_text, the rendered
/// partial, indent_end. All lines of the rendered partial are indented, as the mustache specification requires.
constexpr char indent_begin = '\x02';
constexpr char indent_text = '\x03';
constexpr char indent_end = '\x04';

/// Returns whether the line consists of one section, inverted section, closing, comment or partial tag.
bool is_lone_tag(std::string_view line) {
    const std::size_t begin = line.find_first_not_of(" \t");
    const std::size_t end = line.find_last_not_of(" \t\r");
    if (begin == std::string_view::npos || end - begin < 5) return false;
    const std::string_view tag = line.substr(begin, end - begin + 1);
    if (!tag.starts_with("{{") || tag.find("}}") != tag.size() - 2) return false;
    return std::string_view("#^/!>").find(tag[2]) != std::string_view::npos;
}

/// Removes the newline of lines that consist of one tag, as the mustache specification requires, and replaces other newlines by
/// newline_mark.
std::string settle_lines(const std::string& text) {
    std::string settled;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        const std::string_view line = std::string_view(text).substr(begin, end - begin);
        if (is_lone_tag(line)) {
            const std::size_t begin_of_tag = line.find("{{");
            const std::string_view tag = line.substr(begin_of_tag, line.rfind("}}") + 2 - begin_of_tag);
            if (tag[2] == '>' && begin_of_tag > 0) {
                settled += indent_begin;
                settled += line.substr(0, begin_of_tag);
                settled += indent_text;
                settled += tag;
                settled += indent_end;
            } else {
                settled += tag;
            }
        } else {
            settled += line;
            if (end < text.size()) settled += newline_mark;
        }
        begin = end + 1;
    }
    return settled;
}

/// Replaces the marks by newlines and indentation.
std::string replace_marks(std::string&& text) {
    if (text.find(indent_begin) == std::string::npos) {
        std::replace(text.begin(), text.end(), newline_mark, '\n');
        return std::move(text);
    }
    std::string replaced;
    replaced.reserve(text.size() + text.size() / 8);
    std::string indent;
    std::vector<std::size_t> outer;  // sizes of the indentation around each partial
    bool is_at_line_begin = true;
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text[at] == indent_begin) {
            const std::size_t end = text.find(indent_text, at);
            outer.push_back(indent.size());
            indent.append(text, at + 1, end - at - 1);
            at = end;
        } else if (text[at] == indent_end) {
            indent.resize(outer.back());
            outer.pop_back();
        } else if (text[at] == newline_mark || text[at] == '\n') {
            replaced += '\n';
            is_at_line_begin = true;
        } else {
            if (is_at_line_begin) replaced += indent;
            is_at_line_begin = false;
            replaced += text[at];
        }
    }
    return replaced;
}

/// Returns the line of the first tag in `text` that names `variable`; 0 if there is none.
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

/// A variable that no scope defines, or a partial without a template.
struct UnknownVariable {
    std::string name;
    bool is_template = false;
};

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
        // push_back of the mustache library would copy every subtree at each level.
        auto& items = const_cast<std::vector<Data>&>(list.list_value());
        items.reserve(json.size());
        for (std::size_t index = 0; index < json.size(); ++index) {
            Data item = to_data(json[index]);
            if (!json[index].is_object()) item = Data("value", item);
            item["first"] = Data(index == 0);
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
    for (const auto& [name, text] : texts_) partials_.emplace(name, Data(inline_partials(settle_lines(text), {name})));
}

const Data& Templates::partial(const std::string& name) const {
    const auto entry = partials_.find(name);
    if (entry == partials_.end()) throw InputError(file_of(name) + ": does not exist; restore the template");
    return entry->second;
}

std::string Templates::inline_partials(std::string text, const std::vector<std::string>& open) const {
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
        const std::string body = inline_partials(settle_lines(partial->second), opened);
        text.replace(at, end + 2 - at, body);
        at += body.size();
    }
    return text;
}

std::string Templates::render(const std::string& name, const std::vector<const Data*>& scopes) const {
    return Template(*this, name).render(scopes);
}

void Templates::fail(const std::string& name, const UnknownVariable& unknown) const {
    std::string place = file_of(name);
    std::size_t line = line_of(texts_.at(name), unknown.name);
    for (auto other = texts_.begin(); line == 0 && other != texts_.end(); ++other) {
        line = line_of(other->second, unknown.name);
        if (line > 0) place = file_of(other->first);
    }
    if (line > 0) place += ":" + std::to_string(line);
    const std::string name_in_quotes = "\"" + unknown.name + "\"";
    if (unknown.is_template) {
        throw InputError(place + ": there is no template " + name_in_quotes + "; correct the name or add it to " +
                         folder_.string());
    }
    throw InputError(place + ": nothing defines the variable " + name_in_quotes +
                     "; correct the name, the other templates show the available variables");
}

std::string Templates::file_of(const std::string& name) const {
    return (folder_ / (name + ending)).string();
}

Template::Template(const Templates& templates, const std::string& name)
    : templates_(templates), name_(name), parsed_(templates.partial(name).string_value()) {
    require_valid();
    parsed_.set_custom_escape([](const std::string& text) { return text; });
}

std::string Template::render(const std::vector<const Data*>& scopes) {
    StrictContext context(templates_);
    for (const Data* scope : scopes) context.push(scope);
    std::string text;
    try {
        text = parsed_.render(context);
    } catch (const UnknownVariable& unknown) {
        templates_.fail(name_, unknown);
    }
    require_valid();
    return replace_marks(std::move(text));
}

void Template::require_valid() const {
    if (!parsed_.is_valid()) {
        throw InputError(templates_.file_of(name_) + ": " + parsed_.error_message() + "; correct the tag");
    }
}

}  // namespace cubind::gen::emit
