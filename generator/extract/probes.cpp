// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "extract/probes.hpp"

#include <algorithm>
#include <cctype>
#include <functional>
#include <set>
#include <utility>

#include "error.hpp"
#include "extract/type_text.hpp"

namespace cubind::gen::extract {
namespace {

const std::string type_prefix = "cubind_probe_type_";
const std::string alias_prefix = "cubind_probe_alias_";
const std::string value_prefix = "cubind_probe_value_";

/// Returns the name of the macro that this line defines, and the text that follows the name; empty for any other line and for
/// reserved names.
std::pair<std::string_view, std::string_view> definition(std::string_view line) {
    constexpr std::string_view blanks = " \t";
    std::size_t at = line.find_first_not_of(blanks);
    if (at == std::string_view::npos || line[at] != '#') return {};
    at = line.find_first_not_of(blanks, at + 1);
    constexpr std::string_view directive = "define";
    if (at == std::string_view::npos || line.substr(at, directive.size()) != directive) return {};
    at = line.find_first_not_of(blanks, at + directive.size());
    if (at == std::string_view::npos || line[at] == '_') return {};
    const std::size_t end = line.find_first_of(" \t(\r", at);
    if (end == std::string_view::npos) return {};
    return {line.substr(at, end - at), line.substr(end)};
}

/// Returns the name of the object-like macro that this line defines with a body; empty for any other line.
std::string_view defined_name(std::string_view line) {
    const auto [name, rest] = definition(line);
    const bool has_body = !rest.empty() && rest.front() != '(' && rest.find_first_not_of(" \t\r") != std::string_view::npos;
    return has_body ? name : std::string_view();
}

/// Removes blanks and then an identifier from the front of `text`. Returns the identifier; empty if there is none.
std::string parse_identifier(std::string_view& text) {
    text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
    const auto end = std::find_if_not(text.begin(), text.end(), [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
    const auto length = static_cast<std::size_t>(end - text.begin());
    const std::string identifier(text.substr(0, length));
    text.remove_prefix(length);
    return identifier;
}

/// Removes blanks and then `character` from the front of `text`. Returns false if another character follows.
bool skip_character(std::string_view& text, char character) {
    text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
    if (text.empty() || text.front() != character) return false;
    text.remove_prefix(1);
    return true;
}

constexpr std::size_t max_tokens = 10000;

/// Computes to how many words macros expand. A macro with arguments counts as its body.
class Expansions {
public:
    explicit Expansions(const HeaderSet& headers) {
        for (const auto& header : headers.names()) {
            const HeaderText& text = *headers.find(header);
            for (unsigned line = 1; line <= text.line_count(); ++line) {
                const auto [name, body] = definition(text.line(line));
                if (!name.empty()) bodies_.emplace(name, body);
            }
        }
    }

    /// Returns the number of words; more than max_tokens if it is not known exactly.
    std::size_t size_of(std::string_view name, std::size_t depth = 0) {
        const auto known = sizes_.find(name);
        if (known != sizes_.end()) return known->second;
        if (depth > max_depth) return max_tokens + 1;
        sizes_[name] = 1;  // a macro does not expand within itself
        std::size_t size = 0;
        const auto [begin, end] = bodies_.equal_range(name);
        for (auto body = begin; body != end; ++body) size = std::max(size, size_of_text(body->second, depth));
        return sizes_[name] = std::max<std::size_t>(size, 1);
    }

private:
    static constexpr std::size_t max_depth = 1000;

    std::size_t size_of_text(std::string_view text, std::size_t depth) {
        std::size_t size = 0;
        while (!text.empty() && size <= max_tokens) {
            const auto is_word = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; };
            const auto end = std::find_if_not(text.begin(), text.end(), is_word);
            const std::string_view word = text.substr(0, static_cast<std::size_t>(end - text.begin()));
            if (!word.empty()) size += bodies_.contains(word) ? size_of(word, depth + 1) : 1;
            text.remove_prefix(std::max<std::size_t>(word.size(), 1));
        }
        return size;
    }

    std::multimap<std::string_view, std::string_view> bodies_;  // of all definitions, which conditions may exclude
    std::map<std::string_view, std::size_t> sizes_;
};

/// Describes the macro `name` that this line of `header` defines.
MacroCandidate candidate(const std::string& header, std::string_view line, std::string_view name) {
    std::string_view rest = line.substr(static_cast<std::size_t>(name.data() - line.data()) + name.size());
    MacroCandidate found{header, parse_identifier(rest), ""};
    if (skip_character(rest, '(')) {
        found.wrapper = std::exchange(found.body, parse_identifier(rest));
        if (!skip_character(rest, ')')) return {header, "", ""};
    }
    const std::size_t more = rest.find_first_not_of(" \t\r");
    const bool is_all = more == std::string_view::npos || rest[more] == '/';
    return is_all && !found.body.empty() ? found : MacroCandidate{header, "", ""};
}

}  // namespace

MacroCandidates macro_candidates(const HeaderSet& headers) {
    MacroCandidates found;
    Expansions expansions(headers);
    for (const auto& header : headers.names()) {
        const HeaderText& text = *headers.find(header);
        for (unsigned line = 1; line <= text.line_count(); ++line) {
            const std::string_view name = defined_name(text.line(line));
            if (name.empty()) continue;
            if (expansions.size_of(name) > max_tokens) {
                throw InputError(header + ":" + std::to_string(line) + ": the macro " + std::string(name) +
                                 " expands to more than " + std::to_string(max_tokens) +
                                 " words, which libclang cannot evaluate; leave out the header");
            }
            found.emplace(name, candidate(header, text.line(line), name));
        }
    }
    return found;
}

void mark_macros(spec::Facts& facts, const HeaderSet& headers) {
    std::set<std::string, std::less<>> macros;
    for (const auto& header : headers.names()) {
        const HeaderText& text = *headers.find(header);
        for (unsigned line = 1; line <= text.line_count(); ++line) {
            const auto [name, rest] = definition(text.line(line));
            if (rest.starts_with('(')) macros.emplace(name);
        }
    }
    for (auto& function : facts.functions) function.is_macro = macros.contains(function.name);
}

std::string probe_source(const MacroCandidates& candidates) {
    std::string source;
    for (const auto& [name, candidate] : candidates) {
        source += "#ifdef " + name + "\ntypedef __typeof__(" + name + ") " + type_prefix + name + ";\ntypedef " + name + " " +
                  alias_prefix + name + ";\nstatic const long long " + value_prefix + name + " = (long long)(" + name +
                  ");\n#endif\n";
    }
    return source;
}

bool ProbeReader::read(const clang::Cursor& cursor) {
    if (cursor.kind() != CXCursor_TypedefDecl && cursor.kind() != CXCursor_VarDecl) return false;
    const std::string name = cursor.spelling();
    const auto is_probe = [&](const std::string& prefix) {
        // If the name of a candidate is not an identifier, its probe declares another name.
        return name.starts_with(prefix) && candidates_.contains(name.substr(prefix.size()));
    };
    if (is_probe(type_prefix)) {
        Probe& probe = probes_[name.substr(type_prefix.size())];
        const clang::Type type = cursor.underlying_type();
        const CXTypeKind kind = type.canonical().kind();
        probe.is_function = type.is_function();
        probe.is_value = (kind >= CXType_Bool && kind <= CXType_Int128) || kind == CXType_Enum || kind == CXType_Pointer;
        // libclang spells __typeof__ of an expression as that expression. The canonical type is the type that it names.
        probe.type = constant_type_text(type);
        return true;
    }
    if (is_probe(alias_prefix)) {
        probes_[name.substr(alias_prefix.size())].alias = type_text(cursor.underlying_type().canonical());
        return true;
    }
    if (is_probe(value_prefix)) {
        const auto value = cursor.integer_value();
        Probe& probe = probes_[name.substr(value_prefix.size())];
        probe.has_value = value.has_value();
        probe.value = value.value_or(0);
        return true;
    }
    return false;
}

template <class Entry>
Entry ProbeReader::entry(const std::string& name) const {
    Entry fresh;
    fresh.name = name;
    fresh.header = candidates_.at(name).header;
    fresh.since = release_;
    return fresh;
}

std::vector<spec::Constant> ProbeReader::constants() const {
    std::vector<spec::Constant> found;
    for (const auto& [name, probe] : probes_) {
        if (!probe.has_value || !probe.is_value) continue;
        auto constant = entry<spec::Constant>(name);
        constant.type = probe.type;
        constant.value = probe.value;
        found.push_back(std::move(constant));
    }
    return found;
}

std::map<std::string, std::string> ProbeReader::renames() const {
    std::map<std::string, std::string> found;
    for (const auto& [name, probe] : probes_) {
        const MacroCandidate& candidate = candidates_.at(name);
        if (probe.is_function && candidate.wrapper.empty() && !candidate.body.empty()) found[name] = candidate.body;
    }
    return found;
}

std::vector<spec::Alias> ProbeReader::aliases() const {
    std::vector<spec::Alias> found;
    for (const auto& [name, probe] : probes_) {
        // A failed probe results in the type int.
        if (probe.has_value || probe.alias.empty() || probe.alias != probe.type || probe.type == "int") continue;
        auto alias = entry<spec::Alias>(name);
        alias.type = probe.type;
        alias.is_macro = true;
        found.push_back(std::move(alias));
    }
    return found;
}

}  // namespace cubind::gen::extract
