// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <sstream>

#include "emit/cpp_literal.hpp"
#include "emit/digest.hpp"
#include "emit/kernel_headers.hpp"
#include "error.hpp"
#include "join_strings.hpp"

namespace cubind::gen::emit {
namespace {

using kernels::Kernel;
using kernels::KernelFile;
using spec::Json;

/// The names that all entries of a header depend on.
struct Names {
    std::string name_space;  ///< of the functions
    std::string version;     ///< inline namespace of this file
    std::string content() const { return name_space + "::content_" + version; }
};

Json lines_of(const std::string& comment) {
    Json lines = Json::array();
    std::istringstream text(comment);
    for (std::string line; std::getline(text, line);) lines.push_back({{"line", line.empty() ? "" : " " + line}});
    return lines;
}

/// Adds the namespace of an entry. `version` is the inline namespace in it.
void add_scope(Json& json, const Names& names, const std::vector<std::string>& namespaces, const std::string& version) {
    std::vector<std::string> all = {names.name_space};
    all.insert(all.end(), namespaces.begin(), namespaces.end());
    json["scope"] = join_strings(all, "::");
    json["version"] = version;
}

/// Marks the entries of a list before which their namespace begins, and after which it ends.
Json in_scopes(Json list) {
    for (std::size_t i = 0; i < list.size(); ++i) {
        list[i]["opens"] = i == 0 || list[i]["scope"] != list[i - 1]["scope"];
        list[i]["closes"] = i + 1 == list.size() || list[i]["scope"] != list[i + 1]["scope"];
    }
    return list;
}

/// Gives types an inline namespace that depends on their definition, so that the headers of several files share equal types.
void add_shared_scope(Json& json, const Names& names, const std::vector<std::string>& namespaces) {
    const std::string digest = digest_of(names.name_space + json.dump());
    add_scope(json, names, namespaces, "layout_" + digest);
    json["guard"] = "CUBIND_LAYOUT_" + json["name"].get<std::string>() + "_" + digest;
}

bool is_instance(const Kernel& kernel) {
    return !kernel.template_arguments.empty();
}

bool have_one_name(const Kernel& left, const Kernel& right) {
    return left.namespaces == right.namespaces && left.name == right.name;
}

class KernelFileJson {
public:
    KernelFileJson(const KernelFile& file, const Names& names, bool is_compiled)
        : file_(file), names_(names), is_compiled_(is_compiled) {}

    Json kernels() const {
        Json list = Json::array();
        for (std::size_t i = 0; i < file_.kernels.size(); ++i) list.push_back(kernel(i));
        return in_scopes(std::move(list));
    }

    Json overloads() const {
        Json list = Json::array();
        for (std::size_t i = 0; i < file_.kernels.size(); ++i) {
            if (is_overloaded(i) && position(i) == 1) list.push_back(overload_set(i));
        }
        return list;
    }

    Json variables() const {
        Json list = Json::array();
        for (const kernels::Variable& variable : file_.variables) {
            const bool has_expression = !is_compiled_ && !variable.name_expression.empty();
            Json json = {{"name", variable.name},
                         {"type", variable.type},
                         {"class", variable.space == kernels::Space::managed ? "EmbeddedManaged" : "EmbeddedGlobal"},
                         {"comment", lines_of(variable.comment)},
                         {"arguments", arguments(quoted_literal(has_expression ? variable.name_expression : variable.symbol))}};
            add_scope(json, names_, variable.namespaces, names_.version);
            list.push_back(std::move(json));
        }
        return in_scopes(std::move(list));
    }

    Json expressions() const {
        Json list = Json::array();
        for (const Kernel& kernel : file_.kernels) {
            if (is_instance(kernel) || kernel.symbol.empty()) add_expression(list, kernel.name_expression);
        }
        for (const kernels::Variable& variable : file_.variables) add_expression(list, variable.name_expression);
        return list;
    }

private:
    /// Returns the arguments of a constructor.
    std::string arguments(const std::string& name) const { return "{::" + names_.content() + "::code, " + name + "}"; }

    static void add_expression(Json& list, const std::string& expression) {
        if (!expression.empty()) list.push_back({{"text", quoted_literal(expression)}});
    }

    /// Returns the number of kernels up to this one that have its name.
    std::size_t position(std::size_t index) const {
        std::size_t count = 0;
        for (std::size_t i = 0; i <= index; ++i) count += have_one_name(file_.kernels[i], file_.kernels[index]);
        return count;
    }
    bool is_repeated(std::size_t index) const { return position(index) > 1 || next(index) < file_.kernels.size(); }
    bool is_overloaded(std::size_t index) const { return !is_instance(file_.kernels[index]) && is_repeated(index); }
    /// Returns the index of the next kernel of this name, or the number of kernels.
    std::size_t next(std::size_t index) const {
        std::size_t i = index + 1;
        while (i < file_.kernels.size() && !have_one_name(file_.kernels[i], file_.kernels[index])) ++i;
        return i;
    }
    std::string class_of(std::size_t index) const {
        const std::string name = file_.kernels[index].name + "_kernel";
        return is_repeated(index) ? name + "_" + std::to_string(position(index)) : name;
    }

    /// Returns the symbol and, if the source is compiled later, the name expression.
    std::string names_of(const Kernel& kernel) const {
        if (is_compiled_ && kernel.symbol.empty())
            throw InputError(
                kernel.file + ":" + std::to_string(kernel.line) + ": the symbol of the kernel " + kernel.name +
                " in compiled code is not known, because the kernel is static or in an unnamed namespace; move it to a "
                "named namespace and remove `static`, or embed the source");
        const std::string symbol = kernel.symbol.empty() ? "nullptr" : quoted_literal(kernel.symbol);
        const bool needs_expression = !is_compiled_ && (is_instance(kernel) || kernel.symbol.empty());
        return needs_expression ? symbol + ", " + quoted_literal(kernel.name_expression) : symbol;
    }

    Json kernel(std::size_t index) const {
        const Kernel& kernel = file_.kernels[index];
        Json parameters = Json::array();
        std::vector<std::string> types;
        for (const kernels::Parameter& parameter : kernel.parameters) {
            types.push_back(parameter.type);
            parameters.push_back({{"type", parameter.type},
                                  {"name", parameter.name},
                                  {"has_default", !parameter.default_value.empty()},
                                  {"default", parameter.default_value}});
        }
        Json json = {{"name", kernel.name},
                     {"display", is_instance(kernel) ? kernel.name + "<" + kernel.template_arguments + ">" : kernel.name},
                     {"class", class_of(index)},
                     {"signature", "void(" + join_strings(types) + ")"},
                     {"parameters", std::move(parameters)},
                     {"comment", lines_of(kernel.comment)},
                     {"has_limit", kernel.max_threads > 0},
                     {"max_threads", kernel.max_threads},
                     {"has_cluster", kernel.cluster[0] > 0},
                     {"cluster", "{" + std::to_string(kernel.cluster[0]) + ", " + std::to_string(kernel.cluster[1]) + ", " +
                                     std::to_string(kernel.cluster[2]) + "}"},
                     {"is_overloaded", is_overloaded(index)},
                     {"is_instance", is_instance(kernel)},
                     {"template_arguments", kernel.template_arguments},
                     {"arguments", arguments(names_of(kernel))}};
        add_scope(json, names_, kernel.namespaces, names_.version);
        return json;
    }

    Json overload_set(std::size_t first) const {
        Json members = Json::array();
        for (std::size_t i = first; i < file_.kernels.size(); i = next(i)) {
            members.push_back({{"class", class_of(i)}, {"arguments", arguments(names_of(file_.kernels[i]))}});
        }
        const Kernel& kernel = file_.kernels[first];
        Json json = {{"name", kernel.name}, {"class", kernel.name + "_kernels"}, {"kernels", std::move(members)}};
        add_scope(json, names_, kernel.namespaces, names_.version);
        return json;
    }

    const KernelFile& file_;
    const Names& names_;
    bool is_compiled_;
};

Json record_declarations(const KernelFile& file, const Names& names) {
    Json list = Json::array();
    for (const kernels::Record& record : file.records) {
        Json fields = Json::array();
        for (const kernels::Field& field : record.fields) {
            fields.push_back({{"type", field.type}, {"name", field.name}, {"extents", field.extents}});
        }
        Json json = {{"name", record.name}, {"origin", record.origin}, {"size", record.size}, {"alignment", record.alignment}};
        json["is_complete"] = record.size > 0;
        json["has_fields"] = !fields.empty();
        json["fields"] = std::move(fields);
        add_shared_scope(json, names, record.namespaces);
        for (std::size_t i = 0; i < record.fields.size(); ++i) {
            json["fields"][i]["record"] = json["scope"].get<std::string>() + "::" + record.name;
            json["fields"][i]["offset"] = record.offsets[i];
        }
        list.push_back(std::move(json));
    }
    return list;
}

Json enum_declarations(const KernelFile& file, const Names& names) {
    Json list = Json::array();
    for (const kernels::Enum& each : file.enums) {
        Json values = Json::array();
        for (const auto& [name, value] : each.values) values.push_back({{"name", name}, {"value", value}});
        Json json = {{"name", each.name}, {"underlying", each.underlying}, {"is_scoped", each.is_scoped}};
        json["values"] = std::move(values);
        add_shared_scope(json, names, each.namespaces);
        list.push_back(std::move(json));
    }
    return list;
}

Json template_declarations(const KernelFile& file, const Names& names) {
    Json list = Json::array();
    for (const kernels::Template& each : file.templates) {
        Json json = {{"name", each.name}, {"parameters", each.parameters}};
        add_scope(json, names, each.namespaces, names.version);
        list.push_back(std::move(json));
    }
    return list;
}

}  // namespace

Json kernel_file_json(const KernelFile& file, const KernelHeaderOptions& options, const std::string& version) {
    const bool is_compiled = !options.compiled.bytes.empty();
    Json includes = Json::array(), headers = Json::array(), flags = Json::array();
    for (const std::string& name : file.host_includes) includes.push_back({{"directive", name}});
    if (!is_compiled) {
        for (const kernels::Header& header : file.headers) {
            headers.push_back({{"name", quoted_literal(header.name)}, {"text", raw_literal(header.text)}});
        }
        for (const std::string& option : options.compiler_options) flags.push_back({{"text", quoted_literal(option)}});
    }
    const Names names{options.name_space, version};
    const KernelFileJson parts(file, names, is_compiled);
    Json expressions = is_compiled ? Json::array() : parts.expressions();
    return {{"file", file.name},
            {"name", quoted_literal(file.name)},
            {"content", names.content()},
            {"text", is_compiled ? bytes_literal(options.compiled.bytes) : raw_literal(file.source)},
            {"is_compiled", is_compiled},
            {"kind", options.compiled.kind},
            {"has_headers", !headers.empty()},
            {"headers", std::move(headers)},
            {"has_options", !flags.empty()},
            {"options", std::move(flags)},
            {"has_expressions", !expressions.empty()},
            {"expressions", std::move(expressions)},
            {"includes", std::move(includes)},
            {"enums", enum_declarations(file, names)},
            {"records", record_declarations(file, names)},
            {"templates", template_declarations(file, names)},
            {"kernels", parts.kernels()},
            {"overloads", parts.overloads()},
            {"variables", parts.variables()}};
}

}  // namespace cubind::gen::emit
