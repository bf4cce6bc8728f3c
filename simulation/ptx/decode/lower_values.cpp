// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <bit>

#include "ptx/decode/lowering.hpp"
#include "ptx/handlers/common.hpp"

namespace CUBIND_NAMESPACE::sim::ptx {

// Registers are added at their first use, because a text may declare many more than it uses.
std::uint32_t Lowering::register_of(const Symbol& symbol) {
    const auto [entry, is_new] = used_registers_.try_emplace(symbol.index, 0);
    if (is_new) entry->second = steps_.add_register(symbol.bytes);
    return entry->second;
}

Value Lowering::destination(const Operand& operand, int bytes) {
    if (operand.kind != Operand::Kind::name) throw Unsupported{"has a destination that is no register"};
    if (operand.name == "_") return {.is_written = true, .bytes = static_cast<std::uint8_t>(bytes)};
    const auto symbol = scopes_.find(operand.name);
    if (!symbol || symbol->kind != Symbol::Kind::variable) {
        throw Unsupported{"names the unknown register " + std::string(operand.name)};
    }
    if (symbol->bytes != bytes) {
        throw Unsupported{"requires a register of " + std::to_string(8 * bytes) + " bits, but " + std::string(operand.name) +
                          " has " + std::to_string(8 * symbol->bytes)};
    }
    return {.kind = Value::Kind::variable, .is_written = true, .bytes = symbol->bytes, .index = register_of(*symbol)};
}

Value Lowering::source(const Operand& operand, int bytes, std::string_view type) {
    Value value{.kind = Value::Kind::constant, .bytes = static_cast<std::uint8_t>(bytes), .bits = operand.bits};
    const bool is_double = type == ".f64";
    switch (operand.kind) {
        case Operand::Kind::integer:
            if (type == ".f32" || type == ".f64") {
                const auto number = static_cast<double>(static_cast<std::int64_t>(operand.bits));
                value.bits =
                    is_double ? std::bit_cast<std::uint64_t>(number) : std::bit_cast<std::uint32_t>(static_cast<float>(number));
            }
            if (bytes == 0) value.bits = operand.bits != 0 ? all_lanes : 0;
            return value;
        case Operand::Kind::single:
            if (is_double) {
                value.bits = std::bit_cast<std::uint64_t>(
                    static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(operand.bits))));
            }
            return value;
        case Operand::Kind::floating:
            if (type == ".f32")
                value.bits = std::bit_cast<std::uint32_t>(static_cast<float>(std::bit_cast<double>(operand.bits)));
            return value;
        case Operand::Kind::name:
            break;
        default:
            throw Unsupported{"has an operand of an unknown kind"};
    }
    const Value named = name_value(operand, bytes);
    return operand.is_negated ? negate(named) : named;
}

Value Lowering::name_value(const Operand& operand, int bytes) {
    const auto slot_bytes = static_cast<std::uint8_t>(bytes);
    const Value constant{.kind = Value::Kind::constant, .bytes = slot_bytes, .bits = operand.bits};
    const auto with = [&](std::uint64_t address) {
        Value value = constant;
        value.bits += address;
        return value;
    };
    if (const auto symbol = scopes_.find(operand.name)) {
        switch (symbol->kind) {
            case Symbol::Kind::variable:
                if (symbol->bytes != bytes) {
                    throw Unsupported{"requires an operand of " + std::to_string(8 * bytes) + " bits, but " +
                                      std::string(operand.name) + " has " + std::to_string(8 * symbol->bytes)};
                }
                return {.kind = Value::Kind::variable, .bytes = slot_bytes, .index = register_of(*symbol)};
            case Symbol::Kind::local:
                return local_address(symbol->offset + operand.bits, bytes);
            case Symbol::Kind::shared:
                return shared_address(symbol->offset + operand.bits, bytes);
            case Symbol::Kind::kernel_parameter:
                return with(window_base(Window::parameter) + symbol->offset);
            default:
                throw Unsupported{"uses the name " + std::string(operand.name) + " as a value"};
        }
    }
    if (operand.name == "WARP_SZ") return with(warp_size);
    if (const SpecialRegister* const special = find_special_register(operand.name)) {
        Step step;
        step.handler = special->read;
        step.special = special;
        step.position = position_;
        const std::uint32_t index = steps_.add_register(special->bytes);
        add_value(step, {.kind = Value::Kind::variable, .is_written = true, .bytes = special->bytes, .index = index});
        steps_.all.push_back(std::move(step));
        const Value whole{.kind = Value::Kind::variable, .bytes = special->bytes, .index = index};
        if (special->bytes == bytes) return whole;
        Step truncation;
        truncation.handler = find_truncation(special->bytes, bytes);
        if (truncation.handler == nullptr) throw Unsupported{"reads " + std::string(operand.name) + " with another size"};
        truncation.position = position_;
        const std::uint32_t part = steps_.add_register(slot_bytes);
        add_value(truncation, {.kind = Value::Kind::variable, .is_written = true, .bytes = slot_bytes, .index = part});
        add_value(truncation, whole);
        steps_.all.push_back(std::move(truncation));
        return {.kind = Value::Kind::variable, .bytes = slot_bytes, .index = part};
    }
    const auto shared = shared_.module_variables.find(operand.name);
    if (shared != shared_.module_variables.end()) return shared_address(shared->second + operand.bits, bytes);
    if (const auto address = executable_.find_symbol(operand.name)) return with(*address);
    throw Unsupported{"names the unknown symbol " + std::string(operand.name)};
}

// In a cluster, the address depends on the block.
Value Lowering::shared_address(std::uint64_t offset, int bytes) {
    if (!executable_.uses_clusters) {
        return {.kind = Value::Kind::constant, .bytes = static_cast<std::uint8_t>(bytes), .bits = offset};
    }
    return computed_address(bytes == 4 ? read_shared_address_32 : read_shared_address_64, offset, bytes);
}

Value Lowering::local_address(std::uint64_t offset, int bytes) {
    return computed_address(bytes == 4 ? read_local_address_32 : read_local_address_64, offset, bytes);
}

Value Lowering::computed_address(Handler handler, std::uint64_t offset, int bytes) {
    Step step;
    step.handler = handler;
    step.position = position_;
    step.offset = static_cast<std::int64_t>(offset);
    const std::uint32_t index = steps_.add_register(static_cast<std::uint8_t>(bytes));
    add_value(step,
              {.kind = Value::Kind::variable, .is_written = true, .bytes = static_cast<std::uint8_t>(bytes), .index = index});
    steps_.all.push_back(std::move(step));
    return {.kind = Value::Kind::variable, .bytes = static_cast<std::uint8_t>(bytes), .index = index};
}

Value Lowering::negate(const Value& predicate) {
    if (predicate.bytes != 0) throw Unsupported{"negates an operand that is no predicate"};
    Step step;
    step.handler = negate_predicate;
    step.position = position_;
    const std::uint32_t index = steps_.add_register(0);
    add_value(step, {.kind = Value::Kind::variable, .is_written = true, .index = index});
    add_value(step, predicate);
    steps_.all.push_back(std::move(step));
    return {.kind = Value::Kind::variable, .index = index};
}

}  // namespace CUBIND_NAMESPACE::sim::ptx
