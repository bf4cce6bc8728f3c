// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "ptx/link/link.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "ptx/handlers/common.hpp"
#include "ptx/text/lexer.hpp"
#include "ptx/text/syntax.hpp"

namespace CUBIND_NAMESPACE::sim::ptx {

namespace {

enum class Linkage { none, external, visible, weak };

/// A directive at the level of the module, as a range of tokens.
struct Item {
    enum class Kind { symbol, file, other };
    Kind kind = Kind::other;
    Linkage linkage = Linkage::none;
    bool is_function = false;
    bool is_kernel = false;
    bool is_shared = false;
    bool is_defined = false;  ///< for functions: has a body
    std::string_view name;
    std::size_t begin = 0;
    std::size_t end = 0;
    bool is_dropped = false;
    bool is_declared = false;  ///< whether only the declaration remains, because a later module has the definition
};

/// A module as tokens and items.
class Unit {
public:
    explicit Unit(const LinkInput& input) : input_(input) {
        Lexer lexer(input.image->code->text);
        do {
            tokens_.push_back(lexer.next());
        } while (tokens_.back().kind != Token::Kind::end);
        while (at(position_).kind != Token::Kind::end) read_item();
    }

    std::vector<Item> items;
    std::set<std::string_view> renamed;  ///< symbols that another module has, too

    const std::string& name() const noexcept { return input_.name; }

    /// Returns whether a name occurs outside of its own item.
    bool uses(const Item& item) const {
        for (const Item& other : items) {
            if (&other == &item || other.kind != Item::Kind::symbol) continue;
            for (std::size_t i = other.begin; i < other.end; ++i) {
                if (tokens_[i] == item.name) return true;
            }
        }
        return false;
    }

    /// Appends the items that are not dropped. Adds `suffix` to the renamed symbols, and `first_file` to the numbers of files.
    void write(const std::string& suffix, unsigned first_file, std::string& out) const {
        for (const Item& item : items) {
            if (!item.is_dropped) write(item, suffix, first_file, out);
        }
    }

    /// Returns the highest number of a file.
    unsigned max_file() const {
        unsigned max = 0;
        for (const Item& item : items) {
            if (item.kind == Item::Kind::file) max = std::max(max, number(item.begin + 1));
        }
        return max;
    }

private:
    const Token& at(std::size_t index) const { return tokens_[std::min(index, tokens_.size() - 1)]; }
    bool is_at(std::string_view text) const { return at(position_) == text; }
    bool is_at_end() const { return at(position_).kind == Token::Kind::end; }

    void skip_past(std::string_view mark) {
        while (!is_at_end() && !(at(position_++) == mark)) {
        }
    }
    void skip_nested(std::string_view open, std::string_view close) {
        int depth = 0;
        do {
            if (is_at(open)) ++depth;
            if (is_at(close)) --depth;
            ++position_;
        } while (depth > 0 && !is_at_end());
    }

    void read_item() {
        Item item;
        item.begin = position_;
        for (bool has_linkage = true; has_linkage;) {
            if (is_at(".extern")) {
                item.linkage = Linkage::external;
            } else if (is_at(".visible")) {
                item.linkage = Linkage::visible;
            } else if (is_at(".weak") || is_at(".common")) {
                item.linkage = Linkage::weak;
            } else {
                has_linkage = false;
                continue;
            }
            ++position_;
        }
        const Token directive = at(position_++);
        if (directive == ".entry" || directive == ".func") {
            read_function(item, directive == ".entry");
        } else if (directive == ".global" || directive == ".const" || directive == ".shared" || directive == ".tex") {
            item.kind = Item::Kind::symbol;
            item.is_shared = directive == ".shared";
            item.is_defined = item.linkage != Linkage::external;
            read_name(item);
            skip_past(";");
        } else if (directive == ".section") {
            item.is_dropped = true;
            ++position_;
            skip_nested("{", "}");
        } else if (directive == ".alias" || directive == ".pragma") {
            skip_past(";");
        } else {
            item.is_dropped = directive == ".version" || directive == ".target" || directive == ".address_size";
            if (directive == ".file") item.kind = Item::Kind::file;
            while (!is_at_end() && !(at(position_).kind == Token::Kind::word && at(position_).text.starts_with('.'))) ++position_;
        }
        item.end = position_;
        items.push_back(item);
    }

    void read_function(Item& item, bool is_kernel) {
        item.kind = Item::Kind::symbol;
        item.is_function = true;
        item.is_kernel = is_kernel;
        if (is_kernel && item.linkage == Linkage::none) item.linkage = Linkage::visible;
        read_name(item);
        while (!is_at_end() && !is_at("{") && !is_at(";")) {
            if (is_at("(")) {
                skip_nested("(", ")");
            } else if (is_at(".pragma")) {
                skip_past(";");
            } else {
                ++position_;
            }
        }
        item.is_defined = is_at("{");
        if (item.is_defined) {
            skip_nested("{", "}");
        } else {
            ++position_;
        }
    }

    // The name is the first word without a dot outside of parentheses.
    void read_name(Item& item) {
        while (!is_at_end()) {
            if (is_at("(")) {
                skip_nested("(", ")");
                continue;
            }
            const Token& token = at(position_++);
            if (token.kind != Token::Kind::word || token.text.starts_with('.')) continue;
            item.name = token.text;
            return;
        }
    }

    unsigned number(std::size_t index) const {
        constexpr unsigned limit = 1 << 24;
        unsigned value = 0;
        for (const char digit : at(index).text) {
            if (digit < '0' || digit > '9' || value > limit) return 0;
            value = 10 * value + static_cast<unsigned>(digit - '0');
        }
        return value;
    }

    void write(const Item& item, const std::string& suffix, unsigned first_file, std::string& out) const {
        const char* copied = tokens_[item.begin].text.data();
        const auto copy_up_to = [&](const char* end) {
            out.append(copied, end);
            copied = end;
        };
        std::size_t begin = item.begin;
        if (item.is_declared) {
            out += ".extern ";
            copied = tokens_[++begin].text.data();
        }
        for (std::size_t i = begin; i < item.end; ++i) {
            const Token& token = tokens_[i];
            if (item.is_declared && (token == "=" || token == "{" || token == ";")) {
                copy_up_to(token.text.data());
                out += ";\n";
                return;
            }
            const bool is_file_number = i > item.begin && token.kind == Token::Kind::number &&
                                        (tokens_[i - 1] == ".file" || tokens_[i - 1] == ".loc" || tokens_[i - 1] == "inlined_at");
            if (is_file_number) {
                copy_up_to(token.text.data());
                out += std::to_string(number(i) + first_file);
                copied = token.text.data() + token.text.size();
            } else if (token.kind == Token::Kind::word && renamed.contains(token.text)) {
                copy_up_to(token.text.data() + token.text.size());
                out += suffix;
            }
        }
        const Token& last = tokens_[item.end - 1];
        const bool has_quotes = last.kind == Token::Kind::string;
        copy_up_to(last.text.data() + last.text.size() + (has_quotes ? 1 : 0));
        out += '\n';
    }

    const LinkInput& input_;
    std::vector<Token> tokens_;
    std::size_t position_ = 0;
};

/// A symbol that has linkage: where it is defined.
struct Definition {
    Unit* unit = nullptr;
    Item* item = nullptr;
};

class Linking {
public:
    Linking(const std::vector<LinkInput>& inputs, bool has_device_runtime, Externals externals)
        : has_device_runtime_(has_device_runtime), externals_(externals) {
        for (const LinkInput& input : inputs) {
            units_.emplace_back(input);
            has_device_runtime_ |= input.image->code->has_device_runtime;
        }
    }

    // If all definitions are weak, the first one counts, otherwise the one that is not weak.
    void find_definitions() {
        for (Unit& unit : units_) {
            for (Item& item : unit.items) {
                if (item.kind != Item::Kind::symbol || !item.is_defined || item.linkage == Linkage::none) continue;
                Definition& known = definitions_[item.name];
                if (known.item == nullptr) {
                    known = {&unit, &item};
                } else if (item.linkage == Linkage::weak) {
                    item.is_dropped = true;
                } else if (known.item->linkage == Linkage::weak) {
                    known.item->is_dropped = known.item->is_kernel;
                    known.item->is_declared = true;
                    known = {&unit, &item};
                } else {
                    add_problem("symbol '" + std::string(item.name) + "' is defined in '" + known.unit->name() + "' and in '" +
                                unit.name() + "'");
                }
            }
        }
    }

    void resolve() {
        for (Unit& unit : units_) {
            for (Item& item : unit.items) {
                if (item.kind != Item::Kind::symbol || item.linkage != Linkage::external || item.is_defined) continue;
                if (const auto found = definitions_.find(item.name); found != definitions_.end()) {
                    // If the definition follows in a later module, the declaration stays, because names must be declared before
                    // they are used.
                    item.is_dropped = !item.is_function && found->second.unit <= &unit;
                } else if (item.is_function && externals_ == Externals::may_be_missing) {
                    continue;
                } else if (!item.is_shared && find_builtin(item.name, has_device_runtime_) == nullptr && unit.uses(item)) {
                    add_problem("undefined reference to '" + std::string(item.name) + "' in '" + unit.name() + "'");
                }
            }
        }
    }

    void separate_local_names() {
        std::map<std::string_view, std::set<const Unit*>> owners;
        for (const Unit& unit : units_) {
            for (const Item& item : unit.items) {
                if (item.kind == Item::Kind::symbol) owners[item.name].insert(&unit);
            }
        }
        for (Unit& unit : units_) {
            for (const Item& item : unit.items) {
                const bool is_local = item.kind == Item::Kind::symbol && item.linkage == Linkage::none;
                if (is_local && owners[item.name].size() > 1) unit.renamed.insert(item.name);
            }
        }
    }

    LinkResult write(const std::string& header) const {
        LinkResult result{problem_, header};
        if (!problem_.empty()) return {problem_, {}};
        unsigned first_file = 0;
        for (std::size_t i = 0; i < units_.size(); ++i) {
            units_[i].write("$unit" + std::to_string(i + 1), first_file, result.text);
            first_file += units_[i].max_file() + 1;
        }
        return result;
    }

private:
    void add_problem(const std::string& text) { problem_.append(problem_.empty() ? "" : "\n").append(text); }

    bool has_device_runtime_;
    const Externals externals_;
    std::vector<Unit> units_;
    std::map<std::string_view, Definition> definitions_;
    std::string problem_;
};

// All instructions of the inputs must be valid under the header.
std::string make_header(const std::vector<LinkInput>& inputs) {
    int version = 0;
    int target = 0;
    char variant = 0;
    bool is_debug = !inputs.empty();
    for (const LinkInput& input : inputs) {
        const ModuleInterface& image = *input.image;
        is_debug &= image.code->is_debug;
        version = std::max(version, image.version);
        if (image.target > target || (image.target == target && image.variant == 'a')) variant = image.variant;
        target = std::max(target, image.target);
    }
    std::string text = ".version " + std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
    text += "\n.target sm_" + std::to_string(target);
    if (variant != 0) text += variant;
    if (is_debug) text += ", debug";
    return text + "\n.address_size 64\n";
}

}  // namespace

std::string device_runtime_line() {
    return std::string(".pragma \"").append(device_runtime_pragma).append("\";\n");
}

LinkResult link(const std::vector<LinkInput>& inputs, bool has_device_runtime, Externals externals) {
    Linking linking(inputs, has_device_runtime, externals);
    linking.find_definitions();
    linking.resolve();
    linking.separate_local_names();
    LinkResult result = linking.write(make_header(inputs));
    if (has_device_runtime && result.problem.empty()) result.text += device_runtime_line();
    return result;
}

}  // namespace CUBIND_NAMESPACE::sim::ptx
