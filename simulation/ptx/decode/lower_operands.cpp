// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "ptx/decode/lowering.hpp"

namespace CUBIND_NAMESPACE::sim::ptx {

void Lowering::lower_operands(const Statement& statement, Step& step) {
    std::string_view specs = step.form->operands;
    for (const Operand& operand : statement.operands) lower_operand(operand, take_part(specs, ' '), step);
}

void Lowering::lower_operand(const Operand& operand, std::string_view spec, Step& step) {
    const bool is_written = spec.starts_with('=');
    if (is_written) spec.remove_prefix(1);
    if (spec == "m") return lower_address(operand, step);
    if (spec == "v") return lower_vector(operand, is_written, step);
    if (spec == "e") return lower_parts(operand, is_written, step);
    if (spec == "u") return lower_part(operand, is_written, step);
    if (spec.starts_with('[')) return lower_object(operand, spec.substr(1, spec.size() - 2), step);
    if (spec.starts_with('{')) return lower_items(operand, spec.substr(1, spec.size() - 2), step);
    if (spec == "l") {
        step.label = label(operand.name);
    } else if (spec == "i") {
        if (operand.kind != Operand::Kind::integer) throw Unsupported{"requires a number as an operand"};
        step.choice.extra = static_cast<std::uint32_t>(operand.bits);
    } else if (spec == "T") {
        const auto symbol = scopes_.find(operand.name);
        if (!symbol || symbol->kind != Symbol::Kind::targets) throw Unsupported{"names no list of labels"};
        add_targets(symbol->statement->operands, step);
    } else if (spec == "x" || spec == "y") {
        const int least = bytes_of_operand(spec == "x" ? "t" : "s", step.choice.modifiers);
        const auto symbol = operand.kind == Operand::Kind::name ? scopes_.find(operand.name) : std::nullopt;
        const bool is_register = symbol && symbol->kind == Symbol::Kind::variable;
        const int bytes = is_register ? symbol->bytes : least;
        if (bytes < least) throw Unsupported{"has a register that is too small for its type"};
        const std::string_view type = step.choice.modifiers.type(spec == "x" ? 0 : 1);
        add_value(step, is_written ? destination(operand, bytes) : source(operand, bytes, type));
    } else if (is_written) {
        lower_destinations(operand, spec, step);
    } else {
        const int bytes = bytes_of_operand(spec, step.choice.modifiers);
        const std::string_view type = spec == "t"   ? step.choice.modifiers.type()
                                      : spec == "s" ? step.choice.modifiers.type(1)
                                                    : "";
        add_value(step, source(operand, bytes, type));
    }
}

void Lowering::lower_destinations(const Operand& operand, std::string_view spec, Step& step) {
    const std::size_t bar = spec.find('|');
    const bool is_pair = operand.kind == Operand::Kind::pair;
    if (is_pair && bar == std::string_view::npos) throw Unsupported{"has one destination only"};
    const Operand& first = is_pair ? operand.items[0] : operand;
    Value value = destination(first, bytes_of_operand(spec.substr(0, bar), step.choice.modifiers));
    if (bar == std::string_view::npos && !value.is_register()) {
        // The only destination always exists, so that handlers need not test for it.
        value.kind = Value::Kind::variable;
        value.index = steps_.add_register(value.bytes);
    }
    add_value(step, value);
    if (bar == std::string_view::npos) return;
    add_value(step,
              is_pair ? destination(operand.items[1], bytes_of_operand(spec.substr(bar + 1), step.choice.modifiers)) : Value{});
}

void Lowering::lower_vector(const Operand& operand, bool is_written, Step& step) {
    const bool is_vector = operand.kind == Operand::Kind::vector;
    const std::size_t length = step.choice.modifiers.vector_length();
    if (length != (is_vector ? operand.items.size() : 1)) throw Unsupported{"has a vector of another length than its type"};
    const int least = bytes_of_operand("t", step.choice.modifiers);
    for (std::size_t i = 0; i < length; ++i) {
        const Operand& each = is_vector ? operand.items[i] : operand;
        const auto symbol = each.kind == Operand::Kind::name ? scopes_.find(each.name) : std::nullopt;
        const int bytes = symbol && symbol->kind == Symbol::Kind::variable ? symbol->bytes : least;
        if (bytes < least) throw Unsupported{"has a register that is too small for its type"};
        add_value(step, is_written ? destination(each, bytes) : source(each, bytes, step.choice.modifiers.type()));
    }
}

void Lowering::lower_parts(const Operand& operand, bool is_written, Step& step) {
    const std::size_t length = operand.items.size();
    if (length != 2 && length != 4) throw Unsupported{"has a vector that is not of two or four elements"};
    const auto whole = static_cast<std::size_t>(bytes_of_operand("t", step.choice.modifiers));
    if (whole < length) throw Unsupported{"has a vector with too many elements for its type"};
    const int bytes = static_cast<int>(std::max(whole / length, std::size_t{2}));
    for (const Operand& each : operand.items) add_value(step, is_written ? destination(each, bytes) : source(each, bytes, ""));
}

void Lowering::lower_part(Operand operand, bool is_written, Step& step) {
    constexpr std::string_view suffixes[] = {".b0", ".b1", ".b2", ".b3", ".h0", ".h1"};
    constexpr std::size_t suffix_size = 3;
    OperandPart& part = step.choice.parts.at(step.choice.slots);
    part.is_negated = std::exchange(operand.is_negated, false);
    for (const std::string_view& suffix : suffixes) {
        if (!operand.name.ends_with(suffix)) continue;
        part.number = static_cast<std::uint8_t>(&suffix - suffixes + 1);
        operand.name.remove_suffix(suffix_size);
        break;
    }
    if (!is_written) return add_value(step, source(operand, sizeof(std::uint32_t), ""));
    const Value value = destination(operand, sizeof(std::uint32_t));
    if (!value.is_register()) throw Unsupported{"requires a destination"};
    add_value(step, value);
}

// Integer literals are converted without the type of the items, because the layer of a texture has another type than the
// coordinates.
void Lowering::lower_items(const Operand& operand, std::string_view spec, Step& step) {
    const int bytes = bytes_of_operand(spec, step.choice.modifiers);
    const std::string_view type = spec == "t" ? step.choice.modifiers.type() : "";
    const auto add_item = [&](const Operand& each) {
        add_value(step, source(each, bytes, each.kind == Operand::Kind::integer ? "" : type));
    };
    if (operand.kind != Operand::Kind::vector) return add_item(operand);
    for (const Operand& each : operand.items) add_item(each);
}

void Lowering::lower_object(const Operand& operand, std::string_view spec, Step& step) {
    const std::size_t coordinates = spec.empty() ? 0 : 1;
    if (operand.kind != Operand::Kind::address || operand.items.size() != coordinates || operand.bits != 0)
        throw Unsupported{"has an address of an unknown kind"};
    const auto symbol = scopes_.find(operand.name);
    if (!symbol || symbol->kind != Symbol::Kind::variable || symbol->bytes != 8)
        throw Unsupported{"requires an object's handle in a register of 64 bits"};
    add_value(step, {.kind = Value::Kind::variable, .bytes = symbol->bytes, .index = register_of(*symbol)});
    if (!spec.empty()) lower_items(operand.items[0], spec, step);
}

void Lowering::lower_address(const Operand& operand, Step& step) {
    if (operand.kind != Operand::Kind::address || !operand.items.empty()) throw Unsupported{"has an address of an unknown kind"};
    // Unsigned, because a text can have any offset, and addresses wrap.
    std::uint64_t offset = operand.bits;
    const auto store = [&] { step.offset = static_cast<std::int64_t>(offset); };
    if (operand.name.empty()) return store();
    const auto symbol = scopes_.find(operand.name);
    const auto kind = symbol ? symbol->kind : Symbol::Kind::label;
    if (kind == Symbol::Kind::local || kind == Symbol::Kind::kernel_parameter) {
        step.choice.base = kind == Symbol::Kind::local ? AddressBase::frame : AddressBase::parameters;
        offset += symbol->offset;
    } else if (kind == Symbol::Kind::variable) {
        step.choice.pointer_bytes = symbol->bytes;
        step.choice.base = AddressBase::pointer;
        add_value(step, {.kind = Value::Kind::variable, .bytes = symbol->bytes, .index = register_of(*symbol)});
    } else if (kind == Symbol::Kind::shared) {
        offset += symbol->offset;
    } else if (const auto shared = shared_.module_variables.find(operand.name);
               !symbol && shared != shared_.module_variables.end()) {
        offset += shared->second;
    } else {
        const Value address = name_value(operand, 8);
        offset = address.bits;
    }
    store();
}

// Each branch has a copy of its list, so a short text could have billions of targets.
void Lowering::add_targets(const std::vector<Operand>& labels, Step& step) {
    constexpr std::size_t max_targets = std::size_t{1} << 22;
    targets_ += labels.size();
    if (targets_ > max_targets) {
        throw TooLarge{"has " + std::to_string(targets_) + " or more targets of indexed branches; the simulation supports " +
                       std::to_string(max_targets)};
    }
    for (const Operand& each : labels) step.targets.push_back(label(each.name));
}

std::uint32_t Lowering::label(std::string_view name) const {
    const auto symbol = scopes_.find(name);
    if (!symbol || symbol->kind != Symbol::Kind::label) throw Unsupported{"names the unknown label " + std::string(name)};
    return static_cast<std::uint32_t>(symbol->index);
}

}  // namespace CUBIND_NAMESPACE::sim::ptx
