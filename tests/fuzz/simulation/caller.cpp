// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "caller.hpp"

#include <algorithm>
#include <string_view>

#include "texts.hpp"

namespace cubind::fuzz {

namespace {

constexpr std::size_t max_opaque_bytes = 512;

std::byte* pointer_in(const std::byte* slot) {
    std::byte* pointer = nullptr;
    std::memcpy(&pointer, slot, sizeof pointer);
    return pointer;
}

}  // namespace

driver::CUresult Caller::call(const Function& function, void* address) {
    const std::string_view name = function.name;
    const bool may_copy = name.find("emcpy") != name.npos || name.find("Graph") != name.npos;
    Arguments arguments(choices_, pools_, {.is_tame = !choices_.one_in(8), .may_be_any_address = !may_copy});
    const auto parameters = parameters_of(function);
    slots_.clear();
    counts_.assign(parameters.size(), 0);
    for (const Parameter& parameter : parameters) {
        const bool is_value = parameter.passing == Passing::value;
        slots_.push_back(arguments.allocate(is_value ? std::max(type_at(parameter.type).size, sizeof(void*)) : sizeof(void*)));
    }
    // Fills lengths first, because they determine the sizes of arrays.
    for (const bool is_length : {true, false}) {
        for (std::size_t place = 0; place < parameters.size(); ++place) {
            const Parameter& parameter = parameters[place];
            if ((parameter.passing == Passing::value || parameter.max_value != 0) != is_length) continue;
            if (parameter.passing == Passing::value) {
                arguments.fill(slots_[place], type_at(parameter.type), parameter.max_value);
            } else {
                const void* const value = pointer(arguments, parameters, parameter);
                const bool are_objects = parameter.passing == Passing::object || parameter.passing == Passing::array;
                counts_[place] = !are_objects || value == nullptr       ? 0
                                 : parameter.passing == Passing::object ? 1
                                                                        : length_of(parameters, parameter);
                std::memcpy(slots_[place], &value, sizeof value);
            }
        }
    }
    const driver::CUresult status = function.call(address, slots_.data());
    finished_.fetch_add(1, std::memory_order_relaxed);
    if (status == driver::CUDA_SUCCESS) store_results(parameters);
    return status;
}

std::uint64_t Caller::length_of(std::span<const Parameter> parameters, const Parameter& parameter) const {
    if (parameter.length_index == -1) return parameter.length;
    const auto place = static_cast<std::size_t>(parameter.length_index);
    const Parameter& length = parameters[place];
    if (length.passing == Passing::value) return read_number(slots_[place], type_at(length.type).size);
    const std::byte* const number = pointer_in(slots_[place]);
    return number != nullptr ? read_number(number, type_at(length.type).size) : 0;
}

const void* Caller::pointer(Arguments& arguments, std::span<const Parameter> parameters, const Parameter& parameter) {
    if (choices_.one_in(parameter.is_optional ? 4 : 32)) return nullptr;
    const Type& type = type_at(parameter.type);
    const bool is_filled = parameter.direction != Direction::out;
    switch (parameter.passing) {
        case Passing::object: {
            std::byte* const object = arguments.allocate(type.size);
            if (is_filled) arguments.fill(object, type, parameter.max_value);
            return object;
        }
        case Passing::array:
            return arguments.array(type, length_of(parameters, parameter), is_filled);
        case Passing::bytes: {
            if (parameter.length_index != -1) return arguments.bytes(length_of(parameters, parameter));
            std::byte* const object = arguments.allocate(max_opaque_bytes);
            for (std::size_t at = 0; is_filled && at < 64; at += 8) write_number(object + at, 8, choices_.below(8));
            return object;
        }
        case Passing::text:
            return arguments.c_string(random_text(choices_));
        case Passing::path:
            return arguments.c_string(random_path(choices_));
        case Passing::image:
            return image(arguments, parameters, parameter);
        case Passing::option_values:
            return option_values(arguments, parameters, parameter);
        case Passing::kernel_arguments:
            return arguments.kernel_arguments();
        case Passing::kernel_extra:
            return arguments.kernel_extra();
        case Passing::host_address:
            return reinterpret_cast<const void*>(arguments.address());
        case Passing::shared_handle:
            return descriptors_.pick(choices_);
        case Passing::exported_handle:
            return arguments.allocate(max_opaque_bytes);
        case Passing::value:
        case Passing::null:
            return nullptr;
    }
    return nullptr;
}

// A module is either terminated by zeros, or its length is an argument.
const void* Caller::image(Arguments& arguments, std::span<const Parameter> parameters, const Parameter& parameter) {
    const std::string text = random_image(choices_);
    if (parameter.length_index == -1) return arguments.c_string(text + std::string(64, '\0'));
    const auto place = static_cast<std::size_t>(parameter.length_index);
    const std::size_t size = text.size() + (choices_.one_in(4) ? 0 : 1);
    write_number(slots_[place], type_at(parameters[place].type).size, size);
    return arguments.copy_of(text.c_str(), size);
}

// Each value is a number or the address of a log buffer, as its option requires. Lists of names are empty.
const void* Caller::option_values(Arguments& arguments, std::span<const Parameter> parameters, const Parameter& parameter) {
    const auto place = static_cast<std::size_t>(parameter.length_index);
    const std::byte* const options = pointer_in(slots_[place]);
    const std::uint64_t count = length_of(parameters, parameters[place]);
    if (options == nullptr || count > 64) return nullptr;
    // A link writes to its option values until it is destroyed.
    const bool are_retained = parameter.is_retained;
    std::byte* const values = are_retained ? pools_.allocate(count * sizeof(void*)) : arguments.allocate(count * sizeof(void*));
    for (std::size_t index = 0; index < count; ++index) {
        std::uint64_t value = choices_.below(512);
        const std::uint64_t option = read_number(options + index * sizeof(int), sizeof(int));
        if (parameter.length != 0) {
            value = 0;
        } else if (option == driver::CU_JIT_INFO_LOG_BUFFER || option == driver::CU_JIT_ERROR_LOG_BUFFER) {
            value = reinterpret_cast<std::uintptr_t>(arguments.bytes(512));
        } else if (option >= driver::CU_JIT_GLOBAL_SYMBOL_NAMES && option <= driver::CU_JIT_GLOBAL_SYMBOL_COUNT) {
            value = 0;
        } else if (option >= driver::CU_JIT_REFERENCED_KERNEL_NAMES && option <= driver::CU_JIT_REFERENCED_VARIABLE_COUNT) {
            value = 0;
        }
        write_number(values + index * sizeof(void*), sizeof value, value);
    }
    return values;
}

void Caller::store(const std::byte* value, const Type& type) {
    if (type.kind == Kind::handle) return pools_.add(type.first, value, type.size);
    if (type.kind != Kind::record) return;
    std::vector<std::byte> record(value, value + type.size);
    for (const Field& field : fields_of(type)) {
        if (!is_present(value, field, 0)) continue;
        if (field.passing == Passing::value) {
            store(value + field.offset, type_at(field.type));
        } else {
            write_number(record.data() + field.offset, sizeof(void*), 0);  // the lifetime of the pointee is unknown
        }
    }
    pools_.add(type.pool, record.data(), record.size());
}

void Caller::store_results(std::span<const Parameter> parameters) {
    for (std::size_t place = 0; place < parameters.size(); ++place) {
        const Parameter& parameter = parameters[place];
        if (parameter.passing == Passing::exported_handle)
            descriptors_.add(static_cast<int>(read_number(pointer_in(slots_[place]), sizeof(int))));
        if (parameter.direction == Direction::in || counts_[place] == 0) continue;
        const Type& type = type_at(parameter.type);
        const std::byte* const results = pointer_in(slots_[place]);
        for (std::size_t index = 0; index < counts_[place]; ++index) store(results + index * type.size, type);
    }
}

}  // namespace cubind::fuzz
