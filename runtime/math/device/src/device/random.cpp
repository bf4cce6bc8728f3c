// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/math_device/random.hpp>
#include <cubind/mathdx/random.hpp>

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

constexpr const char* generators[] = {"xorwow", "mrg32k3a", "philox", "pcg"};
constexpr const char* distributions[] = {"bits", "uniform", "normal", "log_normal", "poisson"};

bool is_integer(const RandomDescription& description) {
    return description.distribution == Distribution::bits || description.distribution == Distribution::poisson;
}

bool is_normal(const RandomDescription& description) {
    return description.distribution == Distribution::normal || description.distribution == Distribution::log_normal;
}

// What the generator computes at once.
unsigned int default_values(const RandomDescription& description) {
    if (description.generator != Generator::philox) return 1;
    return size_of(description.precision) == 8 ? 2 : 4;
}

unsigned int values_of(const RandomDescription& description) {
    return description.values != 0 ? description.values : default_values(description);
}

// libmathdx compiles its functions late, and its log for other combinations names templates.
void check(const RandomDescription& description) {
    const auto generator = static_cast<std::size_t>(description.generator);
    const auto distribution = static_cast<std::size_t>(description.distribution);
    if (generator >= std::size(generators)) {
        throw_misuse("RandomDescription::generator is ", generator, ", which is no Generator");
    }
    if (distribution >= std::size(distributions)) {
        throw_misuse("RandomDescription::distribution is ", distribution, ", which is no Distribution");
    }
    const Precision precision = description.precision;
    const bool is_possible =
        is_integer(description) ? precision == Precision::u32 : precision == Precision::f32 || precision == Precision::f64;
    if (!is_possible) {
        throw_misuse("RandomDescription::precision is ", to_string(precision), ", but the results of ",
                     distributions[distribution],
                     is_integer(description) ? " are integers: use u32" : " are floating-point numbers: use f32 or f64");
    }
    if (description.distribution == Distribution::poisson && description.generator == Generator::philox) {
        throw_misuse("RandomDescription::generator is philox, but libmathdx has no Poisson numbers of it: use another generator");
    }
    const unsigned int values = values_of(description), expected = default_values(description);
    const bool may_be_pair = is_normal(description) && expected == 1;
    if (values != expected && !(values == 2 && may_be_pair)) {
        throw_misuse("RandomDescription::values is ", values, ", but a call of ", generators[generator], " has ", expected,
                     may_be_pair ? " or 2" : "", " of these values");
    }
}

detail::Request request_of(const RandomDescription& description) {
    const char* const generator = generators[static_cast<std::size_t>(description.generator)];
    const char* const distribution = distributions[static_cast<std::size_t>(description.distribution)];
    const unsigned int values = values_of(description);
    detail::Request request;
    request.arch = detail::architecture_of(description.arch, "RandomDescription");
    request.symbol = description.symbol;
    if (request.symbol.empty()) {
        request.symbol = std::string("random_") + distribution;
        if (description.precision != (is_integer(description) ? Precision::u32 : Precision::f32)) {
            request.symbol.append("_").append(to_string(description.precision));
        }
        if (description.generator != Generator::philox) request.symbol.append("_").append(generator);
        if (description.values != 0) request.symbol += concat("_x", description.values);
    }
    detail::check_symbol(request.symbol, "RandomDescription");
    request.description = concat("random generator ", generator, ": ", distribution, ", ", to_string(description.precision), ", ",
                                 values, " values, ", request.arch);
    constexpr curanddxGenerator native_generators[] = {CURANDDX_GENERATOR_XORWOW, CURANDDX_GENERATOR_MRG32K3A,
                                                       CURANDDX_GENERATOR_PHILOX4_32, CURANDDX_GENERATOR_PCG};
    constexpr curanddxDistribution native_distributions[] = {CURANDDX_DISTRIBUTION_UNIFORM_BITS, CURANDDX_DISTRIBUTION_UNIFORM,
                                                             CURANDDX_DISTRIBUTION_NORMAL, CURANDDX_DISTRIBUTION_LOG_NORMAL,
                                                             CURANDDX_DISTRIBUTION_POISSON};
    request.set(CURANDDX_OPERATOR_GENERATOR, native_generators[static_cast<std::size_t>(description.generator)]);
    request.set(CURANDDX_OPERATOR_SM, detail::number_of(request.arch));
    request.set(CURANDDX_OPERATOR_EXECUTION, COMMONDX_EXECUTION_THREAD);
    request.set(CURANDDX_OPERATOR_DISTRIBUTION, native_distributions[static_cast<std::size_t>(description.distribution)]);
    request.set(CURANDDX_OPERATOR_OUTPUT_TYPE, description.precision == Precision::f32   ? COMMONDX_R_32F
                                               : description.precision == Precision::f64 ? COMMONDX_R_64F
                                               : description.precision == Precision::u32 ? COMMONDX_R_32UI
                                                                                         : COMMONDX_R_64UI);
    request.set(CURANDDX_OPERATOR_GENERATE_METHOD, values == 1   ? CURANDDX_GENERATE_METHOD_SINGLE
                                                   : values == 2 ? CURANDDX_GENERATE_METHOD_PAIR
                                                                 : CURANDDX_GENERATE_METHOD_QUAD);
    if (is_normal(description)) {
        request.set(CURANDDX_OPERATOR_NORMAL_METHOD,
                    values == 1 ? CURANDDX_NORMAL_METHOD_ICDF : CURANDDX_NORMAL_METHOD_BOX_MULLER);
    }
    request.set(CURANDDX_OPERATOR_DEVICE_FUNCTIONS, CURANDDX_DEVICE_FUNCTION_GENERATE | CURANDDX_DEVICE_FUNCTION_INIT_STATE |
                                                        CURANDDX_DEVICE_FUNCTION_SKIP_OFFSET |
                                                        CURANDDX_DEVICE_FUNCTION_SKIP_SUBSEQUENCE);
    return request;
}

detail::Answers ask_random(const detail::Descriptor& descriptor) {
    detail::Answers answers;
    answers.add(descriptor.trait(CURANDDX_TRAIT_STATE_SIZE));
    answers.add(descriptor.trait(CURANDDX_TRAIT_STATE_ALIGNMENT));
    for (const curanddxTraitType trait : {CURANDDX_TRAIT_SYMBOL_INIT_STATE_NAME, CURANDDX_TRAIT_SYMBOL_GENERATE_NAME,
                                          CURANDDX_TRAIT_SYMBOL_SKIP_OFFSET_NAME, CURANDDX_TRAIT_SYMBOL_SKIP_SUBSEQUENCE_NAME}) {
        const std::string& description = descriptor.request().description;
        std::string name(detail::checked(curanddxGetTraitStrSize(descriptor.handle(), trait), description), '\0');
        detail::checked(curanddxGetTraitStr(descriptor.handle(), trait, name.size(), name.data()), description);
        answers.add(name.substr(0, name.find('\0')));
    }
    return answers;
}

// libmathdx gives its functions names of its own. These have the names of the description, and take values instead of pointers.
std::string declaration_of(const RandomDescription& description, const std::string& symbol, const detail::Answers& answers) {
    const std::string type = detail::type_name(description.precision, Domain::real);
    const std::string parameter = description.distribution == Distribution::poisson ? "double" : type;
    const bool has_two = description.distribution == Distribution::uniform || is_normal(description);
    const bool has_none = description.distribution == Distribution::bits;
    const char* const first = is_normal(description) || description.distribution == Distribution::uniform ? "0" : "1";
    const unsigned int values = values_of(description);
    const std::string state = symbol + "_state", result = symbol + "_values", number = "unsigned long long";
    const auto external = [](const std::string& name, const std::string& parameters) {
        return detail::function_declaration(name, parameters);
    };
    std::string text =
        concat("struct alignas(", answers.number(1), ") ", state, " { unsigned char bytes[", answers.number(0), "]; };\n",
               "struct alignas(", size_of(description.precision) * values, ") ", result, " {\n    ", type, " value[", values,
               "];\n    __device__ ", type, " operator[](int i) const { return value[i]; }\n};\n");
    text += external(answers.name(2), concat(number, "*, ", number, "*, ", number, "*, void*"));
    text += external(answers.name(3), concat("void*, void*, ", parameter, "*"));
    text += external(answers.name(4), concat("void*, ", number, "*"));
    text += external(answers.name(5), concat("void*, ", number, "*"));
    text += concat("__device__ inline void ", symbol, "_init(", state, "& state, ", number, " seed, ", number, " sequence = 0, ",
                   number, " offset = 0) {\n    ", answers.name(2), "(&seed, &sequence, &offset, &state);\n}\n");
    text += concat("__device__ inline ", result, " ", symbol, "_generate(", state, "& state");
    if (!has_none) text += concat(", ", parameter, " a = ", first);
    if (has_two) text += concat(", ", parameter, " b = 1");
    text += concat(") {\n    ", parameter, " parameters[2] = {", has_none ? "0" : "a", ", ", has_two ? "b" : "0", "};\n    ",
                   result, " values;\n    ", answers.name(3), "(&state, &values, parameters);\n    return values;\n}\n");
    text += concat("__device__ inline void ", symbol, "_skip(", state, "& state, ", number, " n) { ", answers.name(4),
                   "(&state, &n); }\n");
    text += concat("__device__ inline void ", symbol, "_skip_sequences(", state, "& state, ", number, " n) { ", answers.name(5),
                   "(&state, &n); }\n");
    return text + detail::traits_declaration(symbol, {{"values", values}, {"state_size", answers.number(0)}});
}

std::shared_ptr<detail::FunctionState> random_state(const RandomDescription& description, ProgramCache* cache) {
    check(description);
    auto state = std::make_shared<detail::FunctionState>(detail::random_family, request_of(description), cache, ask_random);
    state->declaration = declaration_of(description, state->request().symbol, state->answers());
    return state;
}

}  // namespace

Random::Random(const RandomDescription& description, ProgramCache* cache)
    : Function(random_state(description, cache)),
      traits_{.state_size = state().answers().number(0),
              .state_alignment = state().answers().number(1),
              .values = values_of(description)} {}

}  // namespace CUBIND_NAMESPACE::math::device
