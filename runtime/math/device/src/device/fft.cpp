// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/math_device/fft.hpp>
#include <cubind/mathdx/fft.hpp>

#include <iterator>
#include <memory>
#include <utility>

#include "device/architecture.hpp"
#include "device/checked.hpp"
#include "device/declaration.hpp"
#include "device/function_state.hpp"
#include "errors/misuse.hpp"

namespace CUBIND_NAMESPACE::math::device {
namespace {

using cubind::detail::concat;
using cubind::detail::throw_misuse;
using namespace mathdx;

// The members that depend on others.
struct FftChoices {
    FftDirection direction;
    const char* type_name;
    bool is_block;
};

FftChoices checked_choices(const FftDescription& description) {
    detail::check_size(description.size, "FftDescription::size");
    if (description.precision != Precision::f16 && description.precision != Precision::f32 &&
        description.precision != Precision::f64) {
        throw_misuse("FftDescription::precision is ", to_string(description.precision), ", but must be f16, f32 or f64");
    }
    constexpr const char* types[] = {"complex_to_complex", "real_to_complex", "complex_to_real"};
    const auto type = static_cast<std::size_t>(description.type);
    if (type >= std::size(types)) throw_misuse("FftDescription::type has the value ", type, ", which is no FftType");
    const bool is_inverse_type = description.type == FftType::complex_to_real;
    const FftDirection natural = is_inverse_type ? FftDirection::inverse : FftDirection::forward;
    const FftDirection direction = description.direction.value_or(natural);
    if (description.type != FftType::complex_to_complex && direction != natural) {
        throw_misuse("FftDescription::type is ", types[type], ", which is ", is_inverse_type ? "an inverse" : "a forward",
                     " transform, but direction is ", is_inverse_type ? "forward" : "inverse", ": leave direction out");
    }
    if (description.type == FftType::complex_to_complex &&
        (description.layout != ComplexLayout::natural || description.is_folded)) {
        throw_misuse("FftDescription::", description.is_folded ? "is_folded" : "layout",
                     " is set, but it is for transforms of real values, and type is complex_to_complex");
    }
    const bool is_block = description.execution == Execution::block;
    if (description.ffts_per_block == 0) throw_misuse("FftDescription::ffts_per_block is 0, but must be 1 or more");
    if (!is_block && (description.ffts_per_block != 1 || description.elements_per_thread != 0)) {
        throw_misuse("FftDescription::execution is Execution::thread, whose threads compute one transform each, but ",
                     description.ffts_per_block != 1 ? "ffts_per_block is " : "elements_per_thread is ",
                     description.ffts_per_block != 1 ? description.ffts_per_block : description.elements_per_thread);
    }
    return {direction, types[type], is_block};
}

detail::Request request_of(const FftDescription& description, const FftChoices& choices) {
    detail::Request request;
    request.arch = detail::architecture_of(description.arch, "FftDescription");
    request.symbol = description.symbol;
    const bool is_inverse = choices.direction == FftDirection::inverse;
    if (request.symbol.empty()) {
        request.symbol = concat("fft_", description.size);
        if (description.precision != Precision::f32) request.symbol.append("_").append(to_string(description.precision));
        if (description.type == FftType::real_to_complex) request.symbol += "_r2c";
        if (description.type == FftType::complex_to_real) request.symbol += "_c2r";
        if (description.type == FftType::complex_to_complex && is_inverse) request.symbol += "_inverse";
        if (!choices.is_block) request.symbol += "_thread";
    }
    detail::check_symbol(request.symbol, "FftDescription");
    request.description =
        concat("FFT of ", description.size, " elements: ", to_string(description.precision), ", ", choices.type_name, ", ",
               is_inverse ? "inverse" : "forward", ", ", choices.is_block ? "block execution" : "thread execution", ", ",
               description.ffts_per_block, " per block, ", description.elements_per_thread,
               " elements per thread (0: automatic), ", request.arch);
    request.set(CUFFTDX_OPERATOR_SIZE, description.size);
    request.set(CUFFTDX_OPERATOR_DIRECTION, is_inverse ? CUFFTDX_DIRECTION_INVERSE : CUFFTDX_DIRECTION_FORWARD);
    constexpr cufftdxType types[] = {CUFFTDX_TYPE_C2C, CUFFTDX_TYPE_R2C, CUFFTDX_TYPE_C2R};
    request.set(CUFFTDX_OPERATOR_TYPE, types[static_cast<std::size_t>(description.type)]);
    request.set(CUFFTDX_OPERATOR_PRECISION, description.precision == Precision::f16   ? COMMONDX_PRECISION_F16
                                            : description.precision == Precision::f32 ? COMMONDX_PRECISION_F32
                                                                                      : COMMONDX_PRECISION_F64);
    request.set(CUFFTDX_OPERATOR_SM, detail::number_of(request.arch));
    request.set(CUFFTDX_OPERATOR_EXECUTION, choices.is_block ? COMMONDX_EXECUTION_BLOCK : COMMONDX_EXECUTION_THREAD);
    request.set(CUFFTDX_OPERATOR_API, CUFFTDX_API_LMEM);
    if (choices.is_block) request.set(CUFFTDX_OPERATOR_FFTS_PER_BLOCK, description.ffts_per_block);
    if (description.elements_per_thread != 0) {
        request.set(CUFFTDX_OPERATOR_ELEMENTS_PER_THREAD, description.elements_per_thread);
    }
    if (description.type != FftType::complex_to_complex) {
        constexpr cufftdxComplexLayout layouts[] = {CUFFTDX_COMPLEX_LAYOUT_NATURAL, CUFFTDX_COMPLEX_LAYOUT_PACKED,
                                                    CUFFTDX_COMPLEX_LAYOUT_FULL};
        request.set_array(CUFFTDX_OPERATOR_REAL_FFT_OPTIONS,
                          {layouts[static_cast<std::size_t>(description.layout)],
                           description.is_folded ? CUFFTDX_REAL_MODE_FOLDED : CUFFTDX_REAL_MODE_NORMAL});
    }
    return request;
}

detail::Answers ask_fft(const detail::Descriptor& descriptor, bool is_block) {
    const std::string& description = descriptor.request().description;
    if (detail::checked(cufftdxIsSupported(descriptor.handle()), description) == 0) {
        throw_misuse("libmathdx does not support this ", description,
                     ": change the size, elements_per_thread or ffts_per_block, or compute large transforms with cuFFT");
    }
    detail::Answers answers;
    for (const cufftdxTraitType trait :
         {CUFFTDX_TRAIT_ELEMENTS_PER_THREAD, CUFFTDX_TRAIT_STORAGE_SIZE, CUFFTDX_TRAIT_STRIDE, CUFFTDX_TRAIT_INPUT_LENGTH,
          CUFFTDX_TRAIT_OUTPUT_LENGTH, CUFFTDX_TRAIT_INPUT_ELEMENTS_PER_THREAD, CUFFTDX_TRAIT_OUTPUT_ELEMENTS_PER_THREAD,
          CUFFTDX_TRAIT_IMPLICIT_TYPE_BATCHING}) {
        answers.add(descriptor.trait(trait));
    }
    if (!is_block) return answers;
    answers.add(descriptor.trait(CUFFTDX_TRAIT_FFTS_PER_BLOCK));
    answers.add(descriptor.trait(CUFFTDX_TRAIT_SUGGESTED_FFTS_PER_BLOCK));
    answers.add(descriptor.trait(CUFFTDX_TRAIT_SHARED_MEMORY_SIZE));
    answers.add(descriptor.traits(CUFFTDX_TRAIT_BLOCK_DIM));
    return answers;
}

std::shared_ptr<detail::FunctionState> fft_state(const FftDescription& description, ProgramCache* cache) {
    const FftChoices choices = checked_choices(description);
    const auto query = [&](const detail::Descriptor& descriptor) { return ask_fft(descriptor, choices.is_block); };
    auto state = std::make_shared<detail::FunctionState>(detail::fft_family, request_of(description, choices), cache, query);
    const detail::Answers& answers = state->answers();
    if (choices.is_block) {
        state->shared_memory_size = answers.number(10);
        state->block = {answers.number(11), answers.number(12), answers.number(13)};
    }
    const std::string& symbol = state->request().symbol;
    state->declaration = detail::traits_declaration(symbol, {{"size", description.size},
                                                             {"elements_per_thread", answers.number(0)},
                                                             {"storage_size", answers.number(1)},
                                                             {"stride", answers.number(2)},
                                                             {"input_length", answers.number(3)},
                                                             {"output_length", answers.number(4)},
                                                             {"input_elements_per_thread", answers.number(5)},
                                                             {"output_elements_per_thread", answers.number(6)},
                                                             {"ffts_per_block", choices.is_block ? answers.number(8) : 0},
                                                             {"shared_memory_size", state->shared_memory_size}}) +
                         detail::function_declaration(symbol, detail::type_name(description.precision, Domain::complex) +
                                                                  "* values" + (choices.is_block ? ", char* shared" : ""));
    return state;
}

}  // namespace

Fft::Fft(const FftDescription& description, ProgramCache* cache) : Function(fft_state(description, cache)) {
    const detail::Answers& answers = state().answers();
    traits_ = {.elements_per_thread = answers.number(0),
               .storage_size = answers.number(1),
               .stride = answers.number(2),
               .input_length = answers.number(3),
               .output_length = answers.number(4),
               .input_elements_per_thread = answers.number(5),
               .output_elements_per_thread = answers.number(6),
               .implicit_batches = answers.number(7)};
    if (description.execution != Execution::block) return;
    traits_.ffts_per_block = answers.number(8);
    traits_.suggested_ffts_per_block = answers.number(9);
}

}  // namespace CUBIND_NAMESPACE::math::device
