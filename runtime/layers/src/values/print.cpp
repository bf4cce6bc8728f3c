// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "values/print.hpp"

#include <algorithm>
#include <cstring>

namespace CUBIND_NAMESPACE::layers {

namespace {

bool is_zero(const std::byte* data, std::size_t size) {
    return std::all_of(data, data + size, [](std::byte each) { return each == std::byte{0}; });
}

void print_bits(const Type& type, unsigned long long value, Printer& printer) {
    std::string names;
    unsigned long long rest = value;
    for (const reflection::Enumerator& each : type.enumerators) {
        const auto bit = static_cast<unsigned long long>(each.value);
        const bool is_bit = bit != 0 && (bit & (bit - 1)) == 0;
        if (!is_bit || (rest & bit) == 0) continue;
        names += (names.empty() ? "" : "|") + std::string(each.name);
        rest &= ~bit;
    }
    if (rest != 0 || names.empty()) return printer.number(value);
    printer.word(names);
}

void print_enumerator(const Type& type, const std::byte* data, Printer& printer) {
    const auto value = static_cast<long long>(read_integer(type, data));
    const char* name = reflection::name_of(type, value);
    if (name == nullptr) name = reflection::name_of(type, value & 0xffffffffll);
    if (name != nullptr) return printer.word(name);
    if (type.is_bit_set) return print_bits(type, static_cast<unsigned long long>(value), printer);
    printer.signed_number(value);
}

void print_record(const Type& type, const std::byte* data, Printer& printer) {
    printer.begin_record();
    for (const reflection::Field& field : type.fields) {
        const std::byte* const at = data + field.offset;
        // Omits padding, reserved fields and members of a union if they are zero.
        const bool is_filler = field.type->kind == Kind::array || type.is_union;
        if (is_filler && is_zero(at, field.type->size)) continue;
        printer.field(*field.name != '\0' ? field.name : "(unnamed)");
        print(*field.type, at, printer);
    }
    printer.end_record();
}

void print_elements(const Type& element, const std::byte* data, unsigned long long copied, unsigned long long total,
                    Printer& printer) {
    printer.begin_list();
    for (unsigned long long index = 0; index < copied; ++index) {
        printer.element();
        print(element, data + index * element.size, printer);
    }
    if (total > copied) printer.omitted(total - copied);
    printer.end_list();
}

void print_array(const Type& type, const std::byte* data, Printer& printer) {
    const auto* const characters = reinterpret_cast<const char*>(data);
    if (type.inner->kind == Kind::character) {
        return printer.text({characters, strnlen(characters, type.extent)}, false);
    }
    print_elements(*type.inner, data, std::min(type.extent, max_elements), type.extent, printer);
}

// Reads the contents of a Capture in order.
class Reader {
public:
    explicit Reader(const std::byte* at) : at_(at) {}

    const std::byte* take(std::size_t bytes) {
        const std::byte* const taken = at_;
        at_ += bytes;
        return taken;
    }
    Pointee pointee() {
        Pointee pointee;
        std::memcpy(&pointee, take(sizeof pointee), sizeof pointee);
        return pointee;
    }
    // Returns the name of the handle in the argument that was read last.
    std::string_view name() {
        const auto length = static_cast<std::size_t>(*take(1));
        return {reinterpret_cast<const char*>(take(length)), length};
    }
    void skip(const Pointee& pointee, std::size_t element) {
        if (pointee.state == Pointee::State::elements) take(pointee.copied * element);
        const unsigned texts = pointee.state == Pointee::State::texts ? pointee.copied : 0;
        for (unsigned index = 0; index < texts; ++index) skip(this->pointee(), 1);
    }

private:
    const std::byte* at_;
};

void print_text(Reader& reader, Printer& printer) {
    const Pointee pointee = reader.pointee();
    if (pointee.state == Pointee::State::null) return printer.null();
    const auto* const characters = reinterpret_cast<const char*>(reader.take(pointee.copied));
    printer.text({characters, pointee.copied}, pointee.is_cut || pointee.state == Pointee::State::none);
}

// Prints the target of the pointer, or the pointer itself if the target was not copied.
void print_pointee(const Parameter& parameter, const std::byte* pointer, Reader& reader, Printer& printer) {
    const Type& element = *parameter.type->inner;
    const Reader before = reader;
    const Pointee pointee = reader.pointee();
    switch (pointee.state) {
        case Pointee::State::null:
            return printer.null();
        case Pointee::State::none:
            return print(*parameter.type, pointer, printer);
        case Pointee::State::texts:
            if (parameter.shape == Shape::value) return print_text(reader, printer);
            printer.begin_list();
            for (unsigned index = 0; index < pointee.copied; ++index) {
                printer.element();
                print_text(reader, printer);
            }
            if (pointee.total > pointee.copied) printer.omitted(pointee.total - pointee.copied);
            return printer.end_list();
        case Pointee::State::elements:
            break;
    }
    if (parameter.shape == Shape::string) {
        reader = before;
        return print_text(reader, printer);
    }
    const std::byte* const data = reader.take(pointee.copied * element.size);
    if (parameter.shape == Shape::value) return print(element, data, printer);
    print_elements(element, data, pointee.copied, pointee.total, printer);
}

std::size_t element_size(const Parameter& parameter) {
    return parameter.shape == Shape::string ? 1 : parameter.type->inner->size;
}

// Visits the arguments, which were captured before the call, and returns a reader of the results, which were captured after it.
template <class Visitor>
Reader walk_arguments(const reflection::Function& function, const std::byte* capture, Visitor visit) {
    Reader reader(capture);
    for (const Parameter& parameter : function.parameters) {
        const std::byte* const value = reader.take(std::max<std::size_t>(parameter.type->size, 1));
        const std::string_view name = parameter.type->kind == Kind::handle ? reader.name() : std::string_view();
        const bool reads = is_pointer(parameter) && parameter.direction != Direction::out;
        Reader pointee = reader;
        if (reads) reader.skip(reader.pointee(), element_size(parameter));
        visit(parameter, value, name, reads ? &pointee : nullptr);
    }
    return reader;
}

// Visits the results, which were captured after the call, and returns a reader of the return value.
template <class Visitor>
Reader walk_results(const reflection::Function& function, const std::byte* capture, Visitor visit) {
    Reader reader = walk_arguments(function, capture, [](const Parameter&, const std::byte*, std::string_view, const Reader*) {});
    for (const Parameter& parameter : function.parameters) {
        if (!is_pointer(parameter) || parameter.direction == Direction::in) continue;
        Reader pointee = reader;
        reader.skip(reader.pointee(), element_size(parameter));
        visit(parameter, pointee);
    }
    return reader;
}

Reader returned_value(const reflection::Function& function, const std::byte* capture) {
    return walk_results(function, capture, [](const Parameter&, const Reader&) {});
}

bool is_zero(const Parameter& parameter, Reader reader) {
    const Pointee pointee = reader.pointee();
    const std::size_t bytes = pointee.copied * element_size(parameter);
    return pointee.state != Pointee::State::elements || is_zero(reader.take(bytes), bytes);
}

}  // namespace

void print(const Type& type, const std::byte* data, Printer& printer) {
    switch (type.kind) {
        case Kind::nothing:
            if (type.size > 0) printer.text({}, true);  // an opaque record
            return;
        case Kind::boolean:
            return printer.boolean(read_integer(type, data) != 0);
        case Kind::character:
        case Kind::signed_integer:
            return printer.signed_number(static_cast<long long>(read_integer(type, data)));
        case Kind::unsigned_integer:
            return printer.number(read_integer(type, data));
        case Kind::enumeration:
            return print_enumerator(type, data, printer);
        case Kind::record:
            return print_record(type, data, printer);
        case Kind::array:
            return print_array(type, data, printer);
        case Kind::floating: {
            float single = 0;
            double value = 0;
            if (type.size == sizeof single) {
                std::memcpy(&single, data, sizeof single);
                value = single;
            } else {
                std::memcpy(&value, data, sizeof value);
            }
            return printer.floating(value);
        }
        case Kind::identifier:
        case Kind::handle:
        case Kind::pointer:
        case Kind::function:
            break;
    }
    const unsigned long long value = read_integer(type, data);
    if (value == 0 && type.kind != Kind::identifier) return printer.null();
    printer.hexadecimal(value);
}

void print_fields(const reflection::LibraryDescription& library, const reflection::Function& function, const std::byte* capture,
                  Part part, Printer& printer) {
    if (part == Part::arguments) {
        walk_arguments(function, capture,
                       [&](const Parameter& parameter, const std::byte* value, std::string_view name, const Reader* pointee) {
                           if (is_result(parameter)) return;
                           printer.field(parameter.name);
                           if (!name.empty()) return printer.word(name);
                           if (pointee == nullptr) return print(*parameter.type, value, printer);
                           Reader reader = *pointee;
                           print_pointee(parameter, value, reader, printer);
                       });
        return;
    }
    const bool failed = status_of(library, function, capture) != 0;
    walk_results(function, capture, [&](const Parameter& parameter, Reader reader) {
        const bool was_copied = Reader(reader).pointee().state != Pointee::State::none;
        if (!was_copied || (failed && is_zero(parameter, reader))) return;
        printer.field(parameter.name);
        print_pointee(parameter, nullptr, reader, printer);
    });
}

void print_returned(const reflection::Function& function, const std::byte* capture, Printer& printer) {
    const Type& returns = *function.returns;
    Reader reader = returned_value(function, capture);
    const std::byte* const value = reader.take(returns.size);
    if (returns.kind == Kind::pointer && returns.inner->kind == Kind::character) return print_text(reader, printer);
    print(returns, value, printer);
}

int status_of(const reflection::LibraryDescription& library, const reflection::Function& function, const std::byte* capture) {
    int status = 0;
    if (reflection::returns_status(library, function)) {
        std::memcpy(&status, returned_value(function, capture).take(sizeof status), sizeof status);
    }
    return status;
}

std::string signature_text(const reflection::LibraryDescription& library, const reflection::Function& function,
                           const std::byte* capture) {
    std::string text = "{";  // the printer writes fields after an opening brace
    TextPrinter printer(text);
    print_fields(library, function, capture, Part::arguments, printer);
    return function.symbol + ("(" + text.substr(1)) + ")";
}

}  // namespace CUBIND_NAMESPACE::layers
