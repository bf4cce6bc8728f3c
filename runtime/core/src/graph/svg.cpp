// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <fstream>
#include <iterator>
#include <span>
#include <stdexcept>

#include "errors/misuse.hpp"
#include "files/program_run.hpp"
#include "files/replacement_file.hpp"
#include "graph/instantiation.hpp"

namespace CUBIND_NAMESPACE::detail {
namespace {

// Returns an empty text if the file does not exist.
std::string read_file(const std::string& path, std::size_t max_size) {
    std::ifstream file(path, std::ios::binary);
    std::string text(std::istreambuf_iterator<char>(file), {});
    return text.size() > max_size ? text.substr(0, max_size) : text;
}

}  // namespace

void draw_svg(driver::CUgraph graph, const std::string& path, const GraphDebugPrintOptions& options) {
    check_no_nul("the path of to_svg", path);
    const auto program = find_on_path("dot");
    if (!program) {
        throw std::runtime_error(concat("to_svg cannot write \"", path,
                                        "\": no absolute folder of PATH has the program \"dot\"; install Graphviz, or write the "
                                        "graph with debug_dot_print() and draw it elsewhere"));
    }
    const TemporaryFolder folder;
    const std::string input = folder.file("graph.dot");
    const std::string output = folder.file("graph.svg");
    const std::string errors = folder.file("errors.txt");
    print_dot(graph, input, options);
    const std::string failure = run_program(*program, {"-Tsvg", input}, output, errors);
    const std::string drawing = read_file(output, std::string::npos);
    const bool is_whole = drawing.find("</svg>") != std::string::npos;
    if (!failure.empty() || !is_whole) {
        constexpr std::size_t max_reported = 1000;
        std::string text = concat("to_svg cannot write \"", path, "\": \"", *program, "\" ",
                                  failure.empty() ? "wrote no complete drawing" : failure);
        const std::string reported = read_file(errors, max_reported);
        if (!reported.empty()) text.append(", with the message: ").append(reported);
        throw std::runtime_error(text.append("; check that it is the program of Graphviz, or use debug_dot_print()"));
    }
    replace_file(path, std::as_bytes(std::span(drawing)), "to_svg");
}

}  // namespace CUBIND_NAMESPACE::detail
