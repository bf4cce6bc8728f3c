// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "ptx/reader.hpp"

#include <charconv>
#include <memory>
#include <set>

#include "ptx/kernel_reader.hpp"

namespace CUBIND_NAMESPACE::sim::ptx {

namespace {

/// Thrown if the text requires a newer driver. Caught within the reader.
struct UnsupportedVersion {
    int version;
};

/// Reads the directives of a module.
class ModuleReader {
public:
    ModuleReader(std::shared_ptr<Code> code, int newest)
        : code_(std::move(code)), cursor_(code_->text), newest_version_(newest) {}

    Image read();

private:
    void read_header();
    void read_version();
    void read_target();
    void read_directive();
    void read_entry();
    void read_variable(Space space, bool is_extern);
    void read_shared(bool is_extern);
    void read_function();
    void read_file();
    void mark_functions_in_variables();

    const std::shared_ptr<Code> code_;
    Cursor cursor_;
    const int newest_version_;
    Image image_;
    SharedVariables shared_;
    std::set<std::string, std::less<>> kernel_names_;
};

Image ModuleReader::read() {
    read_header();
    while (!cursor_.is_at(Token::Kind::end)) read_directive();
    mark_functions_in_variables();
    image_.code = code_;
    return std::move(image_);
}

void ModuleReader::read_header() {
    read_version();
    read_target();
    if (cursor_.accept(".address_size") && cursor_.expect_number("64", 64) != 64) cursor_.fail("addresses must have 64 bits");
}

// The version is not a decimal fraction: 8.10 is the tenth version after 8.0.
void ModuleReader::read_version() {
    cursor_.expect(".version");
    const std::string_view text = cursor_.next().text;
    const std::size_t dot = text.find('.');
    std::uint64_t major = 0;
    std::uint64_t minor = 0;
    const bool is_version = cursor_.is_at(Token::Kind::number) && text.size() < 8 && dot != std::string_view::npos &&
                            parse_integer(text.substr(0, dot), major) && parse_integer(text.substr(dot + 1), minor) &&
                            major < 1000 && minor < 100;
    if (!is_version) cursor_.fail_expecting("a version such as 8.0");
    cursor_.take();
    image_.version = static_cast<int>(1000 * major + 10 * minor);
    if (image_.version > newest_version_) throw UnsupportedVersion{image_.version};
}

void ModuleReader::read_target() {
    cursor_.expect(".target");
    const std::string_view text = cursor_.expect_word("a target such as sm_90");
    const char* const end = text.data() + text.size();
    const std::size_t prefix = text.starts_with("sm_") ? 3 : text.starts_with("compute_") ? 8 : text.size();
    const auto [rest, error] = std::from_chars(text.data() + prefix, end, image_.target);
    const bool has_variant = error == std::errc() && rest + 1 == end && (*rest == 'a' || *rest == 'f');
    if (has_variant) image_.variant = *rest;
    if (error != std::errc() || image_.target < 10 || image_.target > 9999 || (rest != end && !has_variant)) {
        cursor_.fail(quote_text(text.substr(0, 40)) + " is no target such as sm_90");
    }
    while (cursor_.accept(",")) code_->is_debug |= cursor_.expect_word("an option of the target") == "debug";
}

void ModuleReader::read_directive() {
    bool is_extern = false;
    for (;;) {
        if (cursor_.accept(".extern")) {
            is_extern = true;
        } else if (!cursor_.accept(".visible") && !cursor_.accept(".weak") && !cursor_.accept(".common")) {
            break;
        }
    }
    if (cursor_.accept(".entry")) return read_entry();
    if (cursor_.accept(".global")) return read_variable(Space::global, is_extern);
    if (cursor_.accept(".const")) return read_variable(Space::constant, is_extern);
    if (cursor_.accept(".shared")) return read_shared(is_extern);
    if (cursor_.accept(".func")) return read_function();
    if (cursor_.accept(".file")) return read_file();
    if (cursor_.accept(".section")) {
        cursor_.expect_word("the name of a section");
        return cursor_.skip_block();
    }
    for (const std::string_view skipped : {".alias", ".pragma", ".tex"}) {
        if (cursor_.accept(skipped)) return cursor_.skip_past(";");
    }
    cursor_.fail_expecting("a directive");
}

void ModuleReader::read_entry() {
    Kernel kernel;
    Function function;
    if (!read_kernel(cursor_, shared_, kernel, function)) return;
    if (!kernel_names_.insert(kernel.name).second) cursor_.fail("kernel " + kernel.name.substr(0, 200) + " is defined twice");
    image_.kernels.push_back(std::move(kernel));
    code_->functions.push_back(std::move(function));
}

void ModuleReader::read_variable(Space space, bool is_extern) {
    const Declaration declaration = read_declaration(cursor_);
    Variable variable;
    variable.name = declaration.name;
    variable.space = space;
    variable.size = declaration.size(cursor_);
    variable.alignment = declaration.alignment;
    variable.is_managed = declaration.is_managed;
    variable.is_extern = is_extern;
    if (cursor_.accept("=")) read_initializer(cursor_, declaration, variable);
    cursor_.expect(";");
    image_.variables.push_back(std::move(variable));
}

// External shared memory is dynamic. The launch determines its size.
void ModuleReader::read_shared(bool is_extern) {
    const Declaration declaration = read_declaration(cursor_);
    if (!is_extern) shared_.emplace(declaration.name, declaration);
    const std::size_t size = is_extern ? 0 : declaration.size(cursor_);
    code_->shared.push_back({LocalVariable::Space::shared, declaration.name, size, declaration.alignment, is_extern});
    cursor_.expect(";");
}

void ModuleReader::read_function() {
    Function function;
    ptx::read_function(cursor_, function);
    code_->functions.push_back(std::move(function));
}

void ModuleReader::read_file() {
    SourceFile file;
    file.number = static_cast<std::uint32_t>(cursor_.expect_number("the number of a file", ~std::uint32_t{0}));
    if (!cursor_.is_at(Token::Kind::string)) cursor_.fail_expecting("the name of a file");
    file.name = cursor_.take().text;
    while (cursor_.accept(",")) cursor_.expect_number("a time or a size", ~std::uint64_t{0});
    code_->files.push_back(file);
}

// Tables of virtual functions are such variables.
void ModuleReader::mark_functions_in_variables() {
    std::set<std::string_view> named;
    for (const Variable& variable : image_.variables) {
        for (const Relocation& relocation : variable.relocations) named.insert(relocation.symbol);
    }
    for (Function& each : code_->functions) each.is_address_in_variable = !each.is_kernel && named.contains(each.name);
}

std::string release_text(int version) {
    return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

}  // namespace

ReadResult read(std::string_view text, int newest_version) {
    ReadResult reading;
    try {
        auto code = std::make_shared<Code>();
        code->text = text.substr(0, text.find('\0'));
        reading.image = ModuleReader(std::move(code), newest_version).read();
    } catch (const SyntaxError& mistake) {
        reading.status = driver::CUDA_ERROR_INVALID_PTX;
        reading.problem = "line " + std::to_string(mistake.line) + ": " + mistake.what;
    } catch (const UnsupportedVersion& found) {
        reading.status = driver::CUDA_ERROR_UNSUPPORTED_PTX_VERSION;
        reading.problem = "PTX " + release_text(found.version) + " is newer than this driver, which takes up to PTX " +
                          release_text(newest_version);
    }
    return reading;
}

bool looks_like_ptx(std::string_view text) {
    try {
        return Lexer(text).next() == ".version";
    } catch (const SyntaxError&) {
        return false;
    }
}

}  // namespace CUBIND_NAMESPACE::sim::ptx
