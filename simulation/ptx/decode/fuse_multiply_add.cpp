// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// The rules by which ptxas 13.0 contracts products, as its machine code for sm_90 shows:
// - A product is contracted if all its uses are additions and subtractions in the same basic block. A use of a copy or a negation
//   counts as a use of the product. Neither instruction may have a rounding, and both have .ftz or none has it. The addition may
//   have a guard and may saturate, the product must not.
// - The uses of a product of a constant or a parameter may be anywhere: ptxas computes it again in each block.
// - If both sources of an addition are products, a product without other uses is contracted; if neither has, the first.
#include <algorithm>
#include <array>
#include <optional>

#include "ptx/decode/passes.hpp"
#include "ptx/handlers/families.hpp"

namespace CUBIND_NAMESPACE::sim::ptx {

namespace {

constexpr std::size_t nowhere = ~std::size_t{0};

/// An addition or subtraction of a product.
struct Use {
    std::size_t step = 0;
    unsigned slot = 0;  ///< of the product: 1 or 2
    bool is_negated = false;
};

struct Product {
    std::size_t step = 0;
    std::vector<Use> uses;
    std::vector<std::size_t> copies;  ///< steps that move or negate it
    bool is_anywhere = false;         ///< whether the uses may be in other basic blocks
    bool is_usable = true;
};

struct StraightCode {
    std::size_t begin = 0;
    std::size_t end = 0;
    std::vector<std::uint32_t> labels;  ///< of the blocks that may follow
    bool falls_through = false;
};

/// Where a register is read and written.
struct Accesses {
    std::vector<std::size_t> reads;
    std::vector<std::size_t> writes;
};

bool is_plain(const Step& step, std::string_view opcode) {
    if (step.form == nullptr || step.problem != nullptr || step.form->opcode != opcode) return false;
    const Modifiers& modifiers = step.choice.modifiers;
    const std::string_view type = modifiers.type();
    static constexpr std::string_view types[] = {".f32", ".f64", ".f16", ".bf16", ".f16x2", ".bf16x2"};
    return std::ranges::find(types, type) != std::end(types) && modifiers.type(1).empty() &&
           modifiers.one_of({".rn", ".rz", ".rm", ".rp"}).empty();
}

bool reads(const Step& step, std::uint32_t index) {
    if (step.guard.is_register() && step.guard.index == index) return true;
    for (unsigned i = 0; i < step.choice.slots; ++i) {
        const Value& value = step.values[i];
        const bool keeps = value.is_written && (step.guard.is_register() || step.may_write_part);
        if (value.is_register() && value.index == index && (!value.is_written || keeps)) return true;
    }
    return false;
}

bool always_writes(const Step& step, std::uint32_t index) {
    if (step.guard.kind != Value::Kind::none || step.may_write_part) return false;
    for (unsigned i = 0; i < step.choice.slots; ++i) {
        if (step.values[i].is_register() && step.values[i].is_written && step.values[i].index == index) return true;
    }
    return false;
}

bool is_constant(const Step& step) {
    if (step.form == nullptr || step.guard.kind != Value::Kind::none || step.choice.slots == 0) return false;
    if (step.form->opcode == "mov") return step.choice.slots == 2 && step.values[1].kind == Value::Kind::constant;
    const bool has_index = std::any_of(&step.values[0], &step.values[step.choice.slots],
                                       [](const Value& value) { return value.is_register() && !value.is_written; });
    return step.form->opcode == "ld" && step.choice.base == AddressBase::parameters && !has_index;
}

bool ends_contraction(const Step& step) {
    return step.flow != Flow::none && step.flow != Flow::converged;
}

class Contraction {
public:
    explicit Contraction(Steps& steps) : steps_(steps) {}

    void run() {
        find_blocks();
        find_accesses();
        for (std::size_t i = 0; i < steps_.all.size(); ++i) add_product(i);
        contract_all();
        if (has_changed_) rebuild();
    }

private:
    void find_blocks();
    void find_accesses();
    bool is_constant_source(const Value& source) const;
    void add_product(std::size_t step);
    Product find_uses(std::size_t step, bool is_anywhere);
    void add_uses(Product& product, std::size_t definition, bool is_negated, bool is_copy);
    bool add_use(Product& product, std::size_t step, std::uint32_t index, bool is_negated);
    bool is_live_after(std::size_t block, std::uint32_t index) const;
    void contract_all();
    Product* product_of(std::size_t step, unsigned slot);
    bool may_contract(const Product& product) const;
    void contract(Product& product);
    void contract_use(const Product& product, const Use& use);
    Value copy_if_changed(const Product& product, unsigned slot, std::size_t until);
    Value negate(const Value& value, std::string_view type, std::size_t before);
    std::optional<Step> make(std::string_view opcode, std::vector<std::string_view> modifiers, std::vector<Value> values) const;
    void rebuild();

    Steps& steps_;
    std::vector<StraightCode> blocks_;
    std::vector<std::size_t> block_of_step_;
    std::vector<std::size_t> block_of_label_;
    std::vector<Accesses> accesses_;
    std::vector<Product> products_;
    std::vector<std::array<std::size_t, 2>> products_of_step_;  ///< of the sources of each addition
    std::vector<bool> is_contracted_;
    std::vector<bool> is_removed_;
    std::vector<std::vector<Step>> before_;  ///< steps to insert before each step
    bool has_changed_ = false;
};

void Contraction::find_blocks() {
    const auto& all = steps_.all;
    block_of_label_.assign(steps_.labels, nowhere);
    bool begins = true;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const bool is_label = all[i].handler == nullptr;
        if (begins || is_label) {
            if (!blocks_.empty() && !begins) blocks_.back().falls_through = true;
            blocks_.push_back({i, i, {}, false});
        }
        if (is_label) block_of_label_[all[i].label] = blocks_.size() - 1;
        block_of_step_.push_back(blocks_.size() - 1);
        blocks_.back().end = i + 1;
        begins = ends_contraction(all[i]);
        if (!begins) continue;
        const bool may_pass = all[i].guard.kind != Value::Kind::none;
        blocks_.back().falls_through = may_pass || all[i].flow == Flow::call;
        blocks_.back().labels = all[i].targets;
        if (all[i].label != no_label) blocks_.back().labels.push_back(all[i].label);
    }
    products_of_step_.assign(all.size(), {nowhere, nowhere});
    is_contracted_.assign(all.size(), false);
    is_removed_.assign(all.size(), false);
    before_.resize(all.size());
}

void Contraction::find_accesses() {
    accesses_.resize(steps_.registers.size());
    for (std::size_t i = 0; i < steps_.all.size(); ++i) {
        const Step& step = steps_.all[i];
        const auto add = [i](std::vector<std::size_t>& positions) {
            if (positions.empty() || positions.back() != i) positions.push_back(i);
        };
        if (step.guard.is_register()) add(accesses_[step.guard.index].reads);
        for (unsigned slot = 0; slot < step.choice.slots; ++slot) {
            const Value& value = step.values[slot];
            if (value.is_register()) add(value.is_written ? accesses_[value.index].writes : accesses_[value.index].reads);
        }
    }
}

bool Contraction::is_live_after(std::size_t block, std::uint32_t index) const {
    std::vector<bool> visited(blocks_.size());
    std::vector<std::size_t> rest{block};
    for (bool is_first = true; !rest.empty(); is_first = false) {
        const std::size_t current = rest.back();
        rest.pop_back();
        if (!is_first) {
            if (visited[current]) continue;
            visited[current] = true;
            bool is_written = false;
            for (std::size_t i = blocks_[current].begin; i < blocks_[current].end && !is_written; ++i) {
                if (reads(steps_.all[i], index)) return true;
                is_written = always_writes(steps_.all[i], index);
            }
            if (is_written) continue;
        }
        if (blocks_[current].falls_through && current + 1 < blocks_.size()) rest.push_back(current + 1);
        for (const std::uint32_t label : blocks_[current].labels) rest.push_back(block_of_label_[label]);
    }
    return false;
}

bool Contraction::is_constant_source(const Value& source) const {
    if (!source.is_register()) return true;
    const auto& writes = accesses_[source.index].writes;
    return writes.size() == 1 && is_constant(steps_.all[writes.front()]);
}

Product Contraction::find_uses(std::size_t step, bool is_anywhere) {
    Product product{step, {}, {}, is_anywhere, true};
    add_uses(product, step, false, false);
    product.is_usable &= !product.uses.empty();
    return product;
}

void Contraction::add_product(std::size_t position) {
    const Step& step = steps_.all[position];
    if (!is_plain(step, "mul") || step.choice.modifiers.has(".sat") || step.guard.kind != Value::Kind::none) return;
    const bool is_known = !step.values[1].is_register() && !step.values[2].is_register();
    if (is_known || !step.values[0].is_register()) return;
    Product product = find_uses(position, is_constant_source(step.values[1]) || is_constant_source(step.values[2]));
    if (!product.is_usable && product.is_anywhere) product = find_uses(position, false);
    if (!product.is_usable) return;
    for (const Use& use : product.uses) {
        std::size_t& entry = products_of_step_[use.step][use.slot - 1];
        if (entry != nowhere) return;
        entry = products_.size();
    }
    products_.push_back(std::move(product));
}

// Adds the uses of the register that a step writes.
void Contraction::add_uses(Product& product, std::size_t definition, bool is_negated, bool is_copy) {
    const std::uint32_t index = steps_.all[definition].values[0].index;
    const std::size_t block = block_of_step_[definition];
    std::size_t end = blocks_[block].end;
    const auto& writes = accesses_[index].writes;
    const auto& positions = accesses_[index].reads;
    auto at = std::ranges::upper_bound(positions, definition);
    if (product.is_anywhere) {
        product.is_usable &= writes.size() == 1;
        end = steps_.all.size();
        at = positions.begin();
    } else {
        const auto next = std::ranges::upper_bound(writes, definition);
        const bool is_replaced = next != writes.end() && *next < end;
        if (is_replaced) end = *next + 1;
        product.is_usable &= is_replaced ? always_writes(steps_.all[end - 1], index) : !is_live_after(block, index);
    }
    for (; at != positions.end() && *at < end; ++at) {
        if (!product.is_usable) return;
        product.is_usable = add_use(product, *at, index, is_negated);
    }
    if (is_copy) product.copies.push_back(definition);
}

bool Contraction::add_use(Product& product, std::size_t position, std::uint32_t index, bool is_negated) {
    const Step& step = steps_.all[position];
    const Step& origin = steps_.all[product.step];
    const Modifiers& modifiers = step.choice.modifiers;
    if (step.form == nullptr || step.problem != nullptr) return false;
    const std::string_view type = origin.choice.modifiers.type();
    const bool is_negation = step.form->opcode == "neg" && modifiers.type() == type && !modifiers.has(".ftz");
    if (is_negation || step.form->opcode == "mov") {
        const bool is_near = product.is_anywhere || block_of_step_[position] == block_of_step_[product.step];
        const bool is_simple = step.guard.kind == Value::Kind::none && step.choice.slots == 2 && step.values[0].is_register() &&
                               step.values[0].bytes == step.values[1].bytes && is_near && step.values[0].index != index;
        if (!is_simple || (is_negation && type == ".bf16x2")) return false;
        add_uses(product, position, is_negated != is_negation, true);
        return product.is_usable;
    }
    const bool is_sum = is_plain(step, "add") || is_plain(step, "sub");
    if (!is_sum || modifiers.type() != type || modifiers.has(".ftz") != origin.choice.modifiers.has(".ftz")) return false;
    if (step.guard.is_register() && step.values[0].index == index) return false;
    const auto is_product = [&](unsigned slot) { return step.values[slot].is_register() && step.values[slot].index == index; };
    if (is_product(1) == is_product(2)) return false;
    const unsigned slot = is_product(1) ? 1 : 2;
    for (const Use& other : product.uses) {
        if (other.step == position) return false;
    }
    product.uses.push_back({position, slot, is_negated != (slot == 2 && step.form->opcode == "sub")});
    return true;
}

Product* Contraction::product_of(std::size_t step, unsigned slot) {
    const std::size_t index = products_of_step_[step][slot - 1];
    return index != nowhere ? &products_[index] : nullptr;
}

bool Contraction::may_contract(const Product& product) const {
    return product.is_usable && std::ranges::none_of(product.uses, [&](const Use& use) { return is_contracted_[use.step]; });
}

void Contraction::contract_all() {
    for (std::size_t i = 0; i < products_of_step_.size(); ++i) {
        for (const unsigned slot : {1u, 2u}) {
            Product* const product = product_of(i, slot);
            if (product != nullptr && product->uses.size() == 1 && may_contract(*product)) contract(*product);
        }
    }
    for (Product& product : products_) {
        if (may_contract(product)) contract(product);
    }
}

void Contraction::contract(Product& product) {
    for (const Use& use : product.uses) {
        contract_use(product, use);
        is_contracted_[use.step] = true;
        // The other source is an addend now, and must exist.
        if (Product* const other = product_of(use.step, 3 - use.slot)) other->is_usable = false;
    }
    product.is_usable = false;
    is_removed_[product.step] = true;
    for (const std::size_t copy : product.copies) is_removed_[copy] = true;
    has_changed_ = true;
}

void Contraction::contract_use(const Product& product, const Use& use) {
    Step& sum = steps_.all[use.step];
    const Modifiers& modifiers = sum.choice.modifiers;
    const std::string_view type = modifiers.type();
    Value first = copy_if_changed(product, 1, use.step);
    const Value second = copy_if_changed(product, 2, use.step);
    Value addend = sum.values[3 - use.slot];
    if (use.is_negated) first = negate(first, type, use.step);
    if (sum.form->opcode == "sub" && use.slot == 1) addend = negate(addend, type, use.step);
    std::vector<std::string_view> names{".rn"};
    if (modifiers.has(".ftz")) names.emplace_back(".ftz");
    if (modifiers.has(".sat")) names.emplace_back(".sat");
    names.push_back(type);
    Step fused = make("fma", std::move(names), {sum.values[0], first, second, addend}).value();
    fused.position = sum.position;
    fused.guard = sum.guard;
    fused.is_guard_negated = sum.is_guard_negated;
    sum = std::move(fused);
}

// Returns a source of a product for a later step. Where it is written in between, its old value is copied.
Value Contraction::copy_if_changed(const Product& product, unsigned slot, std::size_t until) {
    Value& source = steps_.all[product.step].values[slot];
    if (!source.is_register()) return source;
    const auto& writes = accesses_[source.index].writes;
    const auto next = std::ranges::upper_bound(writes, product.step);
    const bool is_changed = product.is_anywhere ? writes.size() > 1 : next != writes.end() && *next < until;
    if (!is_changed) return source;
    Value copy{.kind = Value::Kind::variable, .is_written = true, .bytes = source.bytes};
    copy.index = steps_.add_register(source.bytes);
    accesses_.emplace_back();
    const std::string_view type = source.bytes == 2 ? ".b16" : source.bytes == 4 ? ".b32" : ".b64";
    before_[product.step].push_back(make("mov", {type}, {copy, source}).value());
    copy.is_written = false;
    return copy;
}

Value Contraction::negate(const Value& value, std::string_view type, std::size_t before) {
    Value result{.kind = Value::Kind::variable, .is_written = true, .bytes = value.bytes};
    result.index = steps_.add_register(value.bytes);
    accesses_.emplace_back();
    before_[before].push_back(make("neg", {type}, {result, value}).value());
    result.is_written = false;
    return result;
}

std::optional<Step> Contraction::make(std::string_view opcode, std::vector<std::string_view> modifiers,
                                      std::vector<Value> values) const {
    constexpr int any_version = 99990, any_target = 9999;
    Statement statement;
    statement.name = opcode;
    statement.modifiers = std::move(modifiers);
    statement.operands.resize(values.size());
    FormMatch match = form_table().find(statement, any_version, any_target);
    if (match.form == nullptr) return std::nullopt;
    Step step;
    step.form = match.form;
    step.choice.modifiers = std::move(match.modifiers);
    for (const Value& value : values) {
        step.choice.bytes[step.choice.slots] = value.bytes;
        step.values[step.choice.slots++] = value;
    }
    step.handler = match.form->select(step.choice);
    step.extra = step.choice.extra;
    return step;
}

void Contraction::rebuild() {
    std::vector<Step> all;
    all.reserve(steps_.all.size());
    for (std::size_t i = 0; i < steps_.all.size(); ++i) {
        for (Step& step : before_[i]) {
            step.position = steps_.all[i].position;
            all.push_back(std::move(step));
        }
        if (!is_removed_[i]) all.push_back(std::move(steps_.all[i]));
    }
    steps_.all = std::move(all);
}

}  // namespace

void fuse_multiply_add(Steps& steps) {
    const bool has_product = std::ranges::any_of(steps.all, [](const Step& step) { return is_plain(step, "mul"); });
    if (has_product) Contraction(steps).run();
}

}  // namespace CUBIND_NAMESPACE::sim::ptx
