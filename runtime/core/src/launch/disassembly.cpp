// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "launch/disassembly.hpp"

#include <cubind/find.hpp>

#include <string_view>
#include <system_error>

#include "errors/missing_file.hpp"
#include "errors/misuse.hpp"
#include "platform/elf_format.hpp"
#include "platform/run_program.hpp"

namespace CUBIND_NAMESPACE::detail {

std::string disassemble(const char* function, const Bytes& code) {
    const std::string_view bytes(reinterpret_cast<const char*>(code.data()), code.size());
    if (!bytes.starts_with(elf::magic_64)) {
        throw_misuse(function,
                     ": only a cubin has machine code of one architecture: compile to CodeType::cubin, or link to a cubin");
    }
    const Location program = locate(ArtifactKind::program, "nvdisasm");
    if (!program.ok())
        throw_missing_file("nvdisasm", "nvdisasm",
                           concat("machine code can be shown with NVIDIA's nvdisasm only. ", program.message));
    const ProgramResult result = run_program(program.path, {path_of_program_input()}, code.data(), code.size());
    if (result.error != 0) {
        throw_missing_file("nvdisasm", "nvdisasm",
                           concat(program.path, " could not be run: ", std::generic_category().message(result.error)));
    }
    if (result.status != 0) throw_missing_file("nvdisasm", "nvdisasm", concat(program.path, " failed: ", result.errors));
    return result.output;
}

std::string kernel_in(const std::string& disassembly, const std::string& symbol) {
    const std::string section = ".section\t.text." + symbol + ",";
    const std::size_t begin = disassembly.find(section);
    if (begin == std::string::npos) return {};
    return disassembly.substr(begin, disassembly.find("\n//---", begin) - begin);
}

}  // namespace CUBIND_NAMESPACE::detail
