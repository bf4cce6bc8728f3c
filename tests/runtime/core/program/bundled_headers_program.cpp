// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

/// Compiles a program that includes the header of the first argument, with the program cache and the bundled headers in the
/// folder of the second argument, if there is one. Prints "compiled", "cached", or the error.

#include <cubind/core/program/file_program_cache.hpp>
#include <cubind/core/program/program.hpp>
#include <cubind/error.hpp>

#include <exception>
#include <iostream>

int main(int count, char** arguments) {
    const std::string source = std::string("#include <").append(arguments[1]).append(">\n__global__ void kernel() {}\n");
    cubind::FileProgramCache cache;
    try {
        cubind::Program program(source, {.arch = "sm_90", .std = "c++17", .use_bundled_headers = count > 2 ? arguments[2] : ""});
        (void)program.compile(cubind::CodeType::ptx, {.cache = &cache});
        if (!program.uncached_reason().empty()) std::cout << "not cached: " << program.uncached_reason() << "\n";
        std::cout << (cache.statistics().hits == 0 ? "compiled" : "cached") << "\n";
    } catch (const std::exception& error) {
        std::cout << error.what() << "\n";
    }
    return 0;
}
