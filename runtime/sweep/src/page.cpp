// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "page.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "platform/quoted_text.hpp"
#include "table.hpp"
#include "text.hpp"

namespace CUBIND_NAMESPACE::profile {

namespace detail {
namespace {

// Returns the text of a name, for elements and quoted attributes.
std::string escaped(std::string_view text) {
    std::string out;
    for (const char c : visible(text)) {
        switch (c) {
            case '&':
                out += "&amp;";
                break;
            case '<':
                out += "&lt;";
                break;
            case '>':
                out += "&gt;";
                break;
            case '"':
                out += "&quot;";
                break;
            case '\'':
                out += "&#39;";
                break;
            default:
                out += c;
        }
    }
    return out;
}

std::string escaped_lines(std::string_view text) {
    std::string out;
    while (true) {
        const std::size_t end = text.find('\n');
        out += escaped(text.substr(0, end));
        if (end == std::string_view::npos) return out;
        out += '\n';
        text.remove_prefix(end + 1);
    }
}

// A script element ends at the first "</script", and "<!--" changes how it is read, wherever they are in its text. JSON has these
// only in strings.
std::string escaped_json(std::string_view json) {
    std::string out;
    for (const char c : json) c == '<' ? out += "\\u003c" : out += c;
    return out;
}

void append_parts(std::string& out, PageParts parts) {
    for (const std::string_view part : parts) out += part;
}

void append_table(std::string& out, const SweepResult& result) {
    const Table table = table_of(result);
    std::vector<bool> has_numbers(table.titles.size());
    for (const auto& row : table.rows) {
        for (std::size_t column = 0; column < row.size(); ++column) {
            if (row[column].number) has_numbers[column] = true;
        }
    }
    out += "<div class=\"scroll\" role=\"region\" aria-label=\"Results\" tabindex=\"0\">\n<table>\n<thead><tr>";
    for (const std::string& each : table.titles) {
        out += "<th scope=\"col\"><button type=\"button\">" + escaped(each) + "</button></th>";
    }
    out += "</tr></thead>\n<tbody>\n";
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
        const Measurement& measurement = result.measurements()[i];
        out += !measurement.has_times()                 ? "<tr class=\"failed\">"
               : measurement.verdict == Verdict::slower ? "<tr class=\"slower\">"
               : measurement.verdict == Verdict::faster ? "<tr class=\"faster\">"
                                                        : "<tr>";
        for (std::size_t column = 0; column < table.rows[i].size(); ++column) {
            const Cell& cell = table.rows[i][column];
            out += has_numbers[column] ? "<td class=\"number\"" : "<td";
            if (cell.number) out += " data-value=\"" + cubind::detail::exact_text(*cell.number) + '"';
            out += '>' + escaped(cell.text) + "</td>";
        }
        out += "</tr>\n";
    }
    out += "</tbody>\n</table>\n</div>\n";
}

void append_failures(std::string& out, const SweepResult& result) {
    const auto& all = result.measurements();
    if (std::all_of(all.begin(), all.end(), [](const Measurement& each) { return each.has_times(); })) return;
    out += "<h2>Failures</h2>\n<dl>\n";
    for (const Measurement& each : all) {
        if (!each.has_times()) {
            out += "<dt>" + escaped(to_string(each.configuration)) + "</dt><dd>" + escaped_lines(each.failure) + "</dd>\n";
        }
    }
    out += "</dl>\n";
}

void append_charts(std::string& out, const SweepResult& result, PageParts charts) {
    if (charts.empty()) {
        out +=
            "<p class=\"note\">There are no charts, because cubind was built without Chart.js (Debian's package "
            "libjs-chart.js).</p>\n";
        return;
    }
    const auto& all = result.measurements();
    // A chart of one value says nothing.
    if (std::count_if(all.begin(), all.end(), [](const Measurement& each) { return each.has_times(); }) < 2) return;
    out +=
        "<section id=\"charts\" hidden>\n<form><label>Show <select name=\"y\"></select></label> "
        "<label>by <select name=\"x\"></select></label> <label><input type=\"checkbox\" name=\"log-x\"> logarithmic "
        "sizes</label> "
        "<label><input type=\"checkbox\" name=\"log-y\"> logarithmic values</label></form>\n"
        "<div class=\"plot\"><canvas role=\"img\" aria-label=\"Chart of the results; the table has the same "
        "numbers\"></canvas></div>\n"
        "<ul class=\"legend\" aria-label=\"Series\"></ul>\n</section>\n";
}

}  // namespace

std::string page_of(const SweepResult& result, PageParts charts) {
    const std::string name = escaped(result.name());
    std::string out =
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"color-scheme\" content=\"light "
        "dark\">\n<title>" +
        name + "</title>\n<style>\n";
    append_parts(out, page_style);
    out += "</style>\n</head>\n<body>\n<main>\n<h1>" + name + "</h1>\n<ul class=\"facts\">\n";
    for (const std::string& each : summary_of(result)) out += "<li>" + escaped(each) + "</li>\n";
    out += "</ul>\n";
    append_charts(out, result, charts);
    append_table(out, result);
    append_failures(out, result);
    out += "</main>\n<script type=\"application/json\" id=\"data\">" + escaped_json(result.json()) + "</script>\n";
    if (!charts.empty()) {
        out += "<script>\n";
        append_parts(out, charts);
        out += "</script>\n";
    }
    out += "<script>\n";
    append_parts(out, page_script);
    return out += "</script>\n</body>\n</html>\n";
}

}  // namespace detail

std::string SweepResult::html() const {
    return detail::page_of(*this, detail::chart_script);
}

}  // namespace CUBIND_NAMESPACE::profile
