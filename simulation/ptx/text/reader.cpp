// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "ptx/text/reader.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <map>
#include <memory>
#include <set>

#include "ptx/text/kernel_reader.hpp"

namespace CUBIND_NAMESPACE::sim::ptx {

namespace {

/// Thrown if the text requires a newer driver. Caught within the reader.
struct UnsupportedVersion {
    int version;
};

// Checks whether a version of PTX exists. All versions from PTX 9.0 on are assumed to exist, because later releases add unknown
// ones.
bool is_published(int version) noexcept {
    constexpr int newest_minor[] = {-1, 5, 3, 2, 3, 0, 5, 8, 8};
    const int major = version / 1000;
    return major >= static_cast<int>(std::size(newest_minor)) || version % 1000 / 10 <= newest_minor[major];
}

/// What a name of the module was declared as so far.
struct KnownName {
    bool is_function = false;
    bool is_complete = false;  ///< whether a body or memory is defined, and not only declared
    int line = 0;              ///< of the first declaration
};

/// Reads the directives of a module.
class ModuleReader {
public:
    ModuleReader(std::shared_ptr<Code> code, int newest)
        : code_(std::move(code)), cursor_(code_->text), newest_version_(newest) {}

    ModuleInterface read();

private:
    void read_header();
    void read_version();
    void read_target();
    void read_directive();
    void read_entry();
    void read_variable(Space space, bool is_extern);
    void read_shared(bool is_extern);
    void read_function();
    void read_texture();
    void read_pragma();
    void skip_list(Token::Kind kind, const char* what);
    void read_file();
    /// Returns the line of the first declaration of the name.
    int define(std::string_view name, int line, bool is_function, bool is_definition);
    void mark_functions_in_variables();

    const std::shared_ptr<Code> code_;
    Cursor cursor_;
    const int newest_version_;
    ModuleInterface image_;
    SharedDeclarations shared_;
    std::map<std::string_view, KnownName> definitions_;
};

ModuleInterface ModuleReader::read() {
    read_header();
    while (!cursor_.is_at(Token::Kind::end)) read_directive();
    mark_functions_in_variables();
    code_->index_names();
    image_.code = code_;
    return std::move(image_);
}

void ModuleReader::read_header() {
    read_version();
    read_target();
    const int line = cursor_.line();
    if (cursor_.accept(".address_size") && cursor_.expect_number("64", 64) != 64)
        throw SyntaxError{line, "addresses must have 64 bits"};
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
    if (image_.version > newest_version_ || !is_published(image_.version)) throw UnsupportedVersion{image_.version};
}

void ModuleReader::read_target() {
    const int line = cursor_.line();
    cursor_.expect(".target");
    const std::string_view text = cursor_.expect_word("a target such as sm_90");
    const char* const end = text.data() + text.size();
    const std::size_t prefix = text.starts_with("sm_") ? 3 : text.starts_with("compute_") ? 8 : text.size();
    const auto [rest, error] = std::from_chars(text.data() + prefix, end, image_.target);
    const bool has_variant = error == std::errc() && rest + 1 == end && (*rest == 'a' || *rest == 'f');
    if (has_variant) image_.variant = *rest;
    if (error != std::errc() || image_.target < 10 || image_.target > 9999 || (rest != end && !has_variant)) {
        throw SyntaxError{line, quote_text(text.substr(0, 40)) + " is no target such as sm_90"};
    }
    while (cursor_.accept(",")) {
        const std::string_view option = cursor_.expect_word("an option of the target");
        constexpr std::string_view options[] = {"texmode_unified", "texmode_independent", "debug", "map_f64_to_f32"};
        const bool is_target = option.starts_with("sm_") || option.starts_with("compute_");
        if (!is_target && std::ranges::find(options, option) == std::end(options))
            throw SyntaxError{line, quote_text(option.substr(0, 40)) + " is no option of a target"};
        code_->is_debug |= option == "debug";
    }
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
    if (cursor_.accept(".tex")) return read_texture();
    if (cursor_.accept(".alias")) return skip_list(Token::Kind::word, "the name of a function");
    if (cursor_.accept(".pragma")) return read_pragma();
    cursor_.fail_expecting("a directive");
}

void ModuleReader::read_entry() {
    Kernel kernel;
    Function function;
    const bool is_definition = read_kernel(cursor_, shared_, kernel, function);
    // A name can be used from its first declaration on.
    function.line = define(function.name, function.line, true, is_definition);
    if (!is_definition) return;
    image_.kernels.push_back(std::move(kernel));
    code_->functions.push_back(std::move(function));
}

void ModuleReader::read_variable(Space space, bool is_extern) {
    const int line = cursor_.line();
    const Declaration declaration = read_declaration(cursor_);
    define(declaration.name, line, false, !is_extern);
    Variable variable;
    variable.line = line;
    variable.name = declaration.name;
    variable.space = space;
    variable.size = declaration.size(cursor_);
    variable.alignment = declaration.alignment;
    variable.is_managed = declaration.is_managed;
    variable.is_extern = is_extern;
    if (cursor_.accept("=")) read_initializer(cursor_, declaration, variable);
    if (variable.size == 0 && !is_extern) cursor_.fail("the array " + variable.name.substr(0, 200) + " has no elements");
    cursor_.expect(";");
    image_.variables.push_back(std::move(variable));
}

// External shared memory is dynamic. The launch determines its size.
void ModuleReader::read_shared(bool is_extern) {
    const Declaration declaration = read_declaration(cursor_);
    define(declaration.name, cursor_.line(), false, !is_extern);
    if (!is_extern) shared_.emplace(declaration.name, declaration);
    const std::size_t size = is_extern ? 0 : declaration.size(cursor_);
    code_->shared.push_back({LocalVariable::Space::shared, declaration.name, size, declaration.alignment, is_extern});
    cursor_.expect(";");
}

void ModuleReader::read_function() {
    Function function;
    ptx::read_function(cursor_, function);
    define(function.name, function.line, true, function.is_defined);
    code_->functions.push_back(std::move(function));
}

// A name may be declared several times, but defined once.
int ModuleReader::define(std::string_view name, int line, bool is_function, bool is_definition) {
    const auto [entry, is_new] = definitions_.try_emplace(name, KnownName{is_function, is_definition, line});
    KnownName& known = entry->second;
    if (!is_new && (known.is_function != is_function || (known.is_complete && is_definition))) {
        throw SyntaxError{line,
                          std::string(is_function ? "function " : "variable ").append(name.substr(0, 200)) + " is defined twice"};
    }
    known.is_complete |= is_definition;
    return known.line;
}

void ModuleReader::read_pragma() {
    const std::string_view text = cursor_.next().text;
    if (cursor_.is_at(Token::Kind::string) && text != device_runtime_pragma && text != "nounroll")
        cursor_.fail("unknown pragma " + quote_text(text.substr(0, 40)));
    code_->has_device_runtime |= text == device_runtime_pragma;
    skip_list(Token::Kind::string, "a string");
}

void ModuleReader::skip_list(Token::Kind kind, const char* what) {
    do {
        if (!cursor_.is_at(kind)) cursor_.fail_expecting(what);
        cursor_.take();
    } while (cursor_.accept(","));
    cursor_.expect(";");
}

void ModuleReader::read_texture() {
    code_->textures.push_back(read_declaration(cursor_).name);
    while (cursor_.accept(",")) code_->textures.push_back(cursor_.expect_word("the name of a texture"));
    cursor_.expect(";");
}

void ModuleReader::read_file() {
    SourceFile file;
    file.number = static_cast<std::uint32_t>(cursor_.expect_number("the number of a file", ~std::uint32_t{0}));
    if (!cursor_.is_at(Token::Kind::string)) cursor_.fail_expecting("the name of a file");
    file.name = cursor_.take().text;
    while (cursor_.accept(",")) cursor_.expect_number("a time or a size", ~std::uint64_t{0});
    code_->files.push_back(file);
}

// Such variables are, for example, tables of virtual functions.
void ModuleReader::mark_functions_in_variables() {
    std::set<std::string_view> named;
    for (const Variable& variable : image_.variables) {
        for (const Relocation& relocation : variable.relocations) named.insert(relocation.symbol);
    }
    for (Function& each : code_->functions) each.is_address_in_variable = !each.is_kernel && named.contains(each.name);
}

// ptxas rejects other characters in comments and strings, too.
void check_characters(std::string_view text) {
    const auto found = std::ranges::find_if(text, [](char each) { return (static_cast<unsigned char>(each) & 0x80) != 0; });
    if (found == text.end()) return;
    throw SyntaxError{1 + static_cast<int>(std::count(text.begin(), found, '\n')), "a character that is not valid in PTX"};
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
        check_characters(code->text);
        reading.image = ModuleReader(std::move(code), newest_version).read();
    } catch (const SyntaxError& mistake) {
        reading.status = driver::CUDA_ERROR_INVALID_PTX;
        reading.problem = "line " + std::to_string(mistake.line) + ": " + mistake.what;
    } catch (const UnsupportedVersion& found) {
        reading.status = driver::CUDA_ERROR_UNSUPPORTED_PTX_VERSION;
        reading.problem = "PTX " + release_text(found.version) +
                          (found.version > newest_version ? " is newer than this driver" : " does not exist for this driver") +
                          ", which accepts versions up to PTX " + release_text(newest_version);
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
