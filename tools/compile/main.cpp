// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/check.hpp>
#include <cubind/core/program/program.hpp>
#include <cubind/error.hpp>
#include <cubind/nvrtc/bundled_headers.hpp>
#include <cubind/nvrtc/constants.hpp>
#include <cubind/nvrtc/strings.hpp>
#include <cubind/tuple.hpp>

#include <array>
#include <cstdlib>
#include <exception>
#include <getopt.h>
#include <iostream>
#include <stdexcept>
#include <string>
#include <utility>

namespace {

using cubind::CodeType;

constexpr int exit_input = 1;
constexpr int exit_usage = 2;

constexpr const char* usage =
    "usage: cubind-compile FILE.cu --kind KIND --arch ARCH --output FILE [--include DIR]... [--option OPTION]...\n"
    "                      [--instantiate INSTANCE]...\n"
    "       cubind-compile --install-headers DIR\n"
    "\n"
    "Compiles a file of CUDA C++ with NVRTC. Needs neither a GPU nor nvcc.\n"
    "\n"
    "  --kind         ptx, cubin or lto_ir\n"
    "  --arch         the architecture, such as sm_90\n"
    "  --output       the file for the code, which is written only if the compilation succeeds\n"
    "  --include      a folder that is searched for headers\n"
    "  --option       an option of NVRTC, such as -DWIDTH=4 or --use_fast_math\n"
    "  --instantiate  an instance of a kernel template, such as \"scale<float>\"\n"
    "  --install-headers  write the headers of CUDA that NVRTC contains since CUDA 13.3 to DIR and DIR/cccl, and compile "
    "nothing\n"
    "  --help         print this text\n"
    "\n"
    "Exit status: 0 if the file was compiled, 1 if it was not (the log of the compiler is printed), 2 if the command\n"
    "line is wrong.\n";

constexpr std::array kinds = {std::pair{"ptx", CodeType::ptx}, std::pair{"cubin", CodeType::cubin},
                              std::pair{"lto_ir", CodeType::lto_ir}};

struct Options {
    std::string file;
    std::string kind;
    std::string output;
    std::string headers;
    cubind::ProgramOptions compiler;
    std::vector<std::string> instances;
};

[[noreturn]] void fail(const std::string& problem) {
    std::cerr << "cubind-compile: " << problem << "; see cubind-compile --help\n";
    std::exit(exit_usage);
}

Options parse(int count, char** arguments) {
    constexpr option known[] = {
        {"kind", required_argument, nullptr, 'k'},
        {"arch", required_argument, nullptr, 'a'},
        {"output", required_argument, nullptr, 'o'},
        {"include", required_argument, nullptr, 'i'},
        {"option", required_argument, nullptr, 'p'},
        {"instantiate", required_argument, nullptr, 'n'},
        {"help", no_argument, nullptr, 'h'},
        {"install-headers", required_argument, nullptr, 'd'},
        {nullptr, 0, nullptr, 0},
    };
    Options options;
    opterr = 0;
    for (int chosen = 0, current = optind; (chosen = ::getopt_long(count, arguments, ":h", known, nullptr)) != -1;
         current = optind) {
        switch (chosen) {
            case 'k':
                options.kind = optarg;
                break;
            case 'a':
                options.compiler.arch = optarg;
                break;
            case 'o':
                options.output = optarg;
                break;
            case 'i':
                options.compiler.include_path.emplace_back(optarg);
                break;
            case 'p':
                options.compiler.extra_options.emplace_back(optarg);
                break;
            case 'n':
                options.instances.emplace_back(optarg);
                break;
            case 'd':
                options.headers = optarg;
                break;
            case 'h':
                std::cout << usage;
                std::exit(0);
            case ':':
                fail(std::string(arguments[current]) + " requires a value");
            default:
                fail(std::string("unknown option ") + arguments[current]);
        }
    }
    if (!options.headers.empty() && optind == count) return options;
    if (optind + 1 != count) fail("name one file, not " + std::to_string(count - optind));
    options.file = arguments[optind];
    if (options.kind.empty() || options.compiler.arch.empty() || options.output.empty())
        fail("--kind, --arch and --output are required");
    return options;
}

CodeType kind_of(const std::string& name) {
    for (const auto& [known, kind] : kinds) {
        if (name == known) return kind;
    }
    fail("--kind " + name + " is unknown: it is ptx, cubin or lto_ir");
}

/// Writes the headers that NVRTC contains. An NVRTC that contains none is no error, because many kernels need none.
int install_headers(const std::string& folder) {
    try {
        const auto info = cubind::check(cubind::nvrtc::nvrtcGetBundledHeadersInfo());
        if (std::get<0>(info).available == 0) throw std::runtime_error("this NVRTC contains no headers");
        (void)cubind::check(
            cubind::nvrtc::nvrtcInstallBundledHeaders(folder.c_str(), cubind::nvrtc::NVRTC_INSTALL_HEADERS_SKIP_IF_EXISTS));
    } catch (const std::exception& error) {
        std::cerr << "cubind-compile: no headers of CUDA were written to " << folder << ": " << error.what()
                  << "\nKernels that include headers of CUDA need a toolkit, such as that of CUDA_HOME.\n";
    }
    return 0;
}

}  // namespace

int main(int count, char** arguments) {
    Options options = parse(count, arguments);
    if (!options.headers.empty()) return install_headers(options.headers);
    const CodeType kind = kind_of(options.kind);
    options.compiler.link_time_optimization = kind == CodeType::lto_ir;
    try {
        cubind::Program program = cubind::Program::from_file(cubind::SourceKind::cpp, options.file, std::move(options.compiler));
        const cubind::ObjectCode code = program.compile(kind, {.name_expressions = options.instances});
        std::cerr << program.log();
        code.save(options.output);
        return 0;
    } catch (const cubind::CompileError& error) {
        std::cerr << (error.log().empty() ? std::string(error.what()).append("\n") : error.log())
                  << "cubind-compile: " << options.file << " was not compiled\n";
    } catch (const std::exception& error) {
        std::cerr << "cubind-compile: " << error.what() << "\n";
    }
    return exit_input;
}
