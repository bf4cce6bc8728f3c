// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "cutensor_stand_in.hpp"

#include <cubind/cutensor.hpp>
#include <cubind/driver/execution.hpp>
#include <cubind/substitute.hpp>

#include <complex>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <list>
#include <memory>
#include <sstream>
#include <thread>

#include "unlimited_memory.hpp"

struct cutensorHandle {};
struct cutensorTensorDescriptor {
    cubind::runtime::cudaDataType type;
    std::vector<std::int64_t> extents;
    std::vector<std::int64_t> strides;
    std::uint32_t alignment;
    std::string letters = {};  // of an operation
    bool is_conjugate = false;
};
struct cutensorOperationDescriptor {
    cubind::runtime::cudaDataType factor;
    std::vector<cutensorTensorDescriptor> tensors;  // the inputs, then the output
};
struct cutensorPlanPreference {
    int algorithm;
    unsigned int jit;
    std::map<unsigned int, int> attributes;
};
struct cutensorPlan {
    int number;
    cutensorOperationDescriptor operation;
    std::uint64_t workspace;
};

namespace cubind::testing {

using namespace cutensor;

namespace {

using Factor = std::complex<double>;
using Functions = std::map<std::string, void*, std::less<>>;
using Status = cutensorStatus_t;

// A function has it, so that it exists before other variables of the program.
CutensorStandIn& state() {
    static CutensorStandIn only;
    return only;
}

std::mutex& mutex() {
    static std::mutex only;
    return only;
}

/// Records a call, and returns the status that the test has set.
template <class... Parts>
Status record(const Parts&... parts) {
    std::ostringstream line;
    (line << ... << parts);
    const std::lock_guard lock(mutex());
    state().calls.push_back(line.str());
    return static_cast<Status>(state().take_status());
}

/// Returns the status that the test has set, for a call that is not recorded.
Status next_status() {
    const std::lock_guard lock(mutex());
    return static_cast<Status>(state().take_status());
}

int next_plan() {
    const std::lock_guard lock(mutex());
    return ++state().plans;
}

template <class Object>
Status made(Status status, Object** output, Object object) {
    if (status != CUTENSOR_STATUS_SUCCESS) return status;
    *output = new Object(std::move(object));
    const std::lock_guard lock(mutex());
    ++state().objects;
    return status;
}

template <class Object>
Status destroyed(Object* object) {
    delete object;
    const std::lock_guard lock(mutex());
    --state().objects;
    return static_cast<Status>(state().take_status());
}

std::string numbers(const std::vector<std::int64_t>& values) {
    std::string text = "(";
    for (std::size_t i = 0; i < values.size(); ++i) text += (i == 0 ? "" : " ") + std::to_string(values[i]);
    return text + ")";
}

/// Returns the tensor with the letters of its modes.
::cutensorTensorDescriptor operand(const ::cutensorTensorDescriptor* tensor, const std::int32_t* modes,
                                   cutensorOperator_t operation = CUTENSOR_OP_IDENTITY) {
    ::cutensorTensorDescriptor named = *tensor;
    for (std::size_t i = 0; i < named.extents.size(); ++i) named.letters += static_cast<char>(modes[i]);
    named.is_conjugate = operation == CUTENSOR_OP_CONJ;
    return named;
}

std::string text(const ::cutensorTensorDescriptor& tensor) {
    return "[" + tensor.letters + " " + std::to_string(static_cast<int>(tensor.type)) + " " + numbers(tensor.extents) + " " +
           numbers(tensor.strides) + " " + std::to_string(tensor.alignment) + (tensor.is_conjugate ? " conj" : "") + "]";
}

/// Returns the type of the factors of a contraction of these operands.
cudaDataType factor_of(const ::cutensorTensorDescriptor* first, const ::cutensorTensorDescriptor* second) {
    const cudaDataType a = first->type, b = second->type;
    if (a == CUDA_C_64F || b == CUDA_C_64F) return CUDA_C_64F;
    return a == CUDA_R_64F || a == CUDA_C_32F ? a : CUDA_R_32F;
}

Factor read(const void* value, cudaDataType type, std::int64_t index = 0) {
    const auto at = [&](auto number) {
        std::memcpy(&number, static_cast<const char*>(value) + index * static_cast<std::int64_t>(sizeof number), sizeof number);
        return Factor(number);
    };
    if (type == CUDA_R_32F) return at(0.0f);
    if (type == CUDA_R_64F) return at(0.0);
    return type == CUDA_C_32F ? Factor(at(std::complex<float>())) : at(Factor());
}

void write(void* value, cudaDataType type, std::int64_t index, Factor number) {
    const auto to = [&](auto converted) {
        std::memcpy(static_cast<char*>(value) + index * static_cast<std::int64_t>(sizeof converted), &converted,
                    sizeof converted);
    };
    if (type == CUDA_R_32F) return to(static_cast<float>(number.real()));
    if (type == CUDA_R_64F) return to(number.real());
    type == CUDA_C_32F ? to(std::complex<float>(number)) : to(number);
}

/// A contraction in a stream.
struct Work {
    std::chrono::milliseconds delay;
    bool computes;
    ::cutensorOperationDescriptor operation;
    Factor alpha, beta;
    std::vector<const void*> inputs;
    const void* addend;
    void* output;

    void run() const {
        std::this_thread::sleep_for(delay);
        if (!computes) return;
        const ::cutensorTensorDescriptor& d = operation.tensors.back();
        std::map<char, std::int64_t> extents, index;
        for (const auto& tensor : operation.tensors)
            for (std::size_t i = 0; i < tensor.letters.size(); ++i) extents[tensor.letters[i]] = tensor.extents[i];
        std::string order = d.letters;
        for (const auto& [letter, extent] : extents)
            if (order.find(letter) == std::string::npos) order += letter;
        const auto offset = [&](const ::cutensorTensorDescriptor& tensor) {
            std::int64_t sum = 0;
            for (std::size_t i = 0; i < tensor.letters.size(); ++i) sum += index[tensor.letters[i]] * tensor.strides[i];
            return sum;
        };
        Factor total;
        const std::function<void(std::size_t)> loop = [&](std::size_t depth) {
            if (depth == d.letters.size()) total = 0;
            if (depth == order.size()) {
                Factor product = 1;
                for (std::size_t i = 0; i < inputs.size(); ++i) {
                    const Factor element = read(inputs[i], operation.tensors[i].type, offset(operation.tensors[i]));
                    product *= operation.tensors[i].is_conjugate ? std::conj(element) : element;
                }
                total += product;
            } else {
                for (std::int64_t i = 0; i < extents[order[depth]]; ++i) {
                    index[order[depth]] = i;
                    loop(depth + 1);
                }
            }
            if (depth != d.letters.size()) return;
            const Factor added = beta == 0.0 ? 0 : beta * read(addend, d.type, offset(d));
            write(output, d.type, offset(d), alpha * total + added);
        };
        loop(0);
    }
};

/// Submits a contraction, unless it neither computes nor takes time. Graphs can run it again, so that it is kept.
void submit(const ::cutensorPlan& plan, const void* alpha, std::vector<const void*> inputs, const void* beta, const void* addend,
            void* output, cudaStream_t stream) {
    static auto& all = *new std::list<Work>;  // not destroyed at the end of the process, when work may still run
    const auto found = state().delays.find(plan.number);
    if (found == state().delays.end() && !state().computes) return;
    const cudaDataType type = plan.operation.factor;
    const std::lock_guard lock(mutex());
    Work& work =
        all.emplace_back(Work{found == state().delays.end() ? std::chrono::milliseconds(0) : found->second, state().computes,
                              plan.operation, read(alpha, type), read(beta, type), std::move(inputs), addend, output});
    if (!driver::cuLaunchHostFunc(
             stream, [](void* each) { static_cast<const Work*>(each)->run(); }, &work)
             .ok())
        std::abort();
}

template <class Function>
void add(Functions& functions, const char* symbol, Function function) {
    functions[symbol] = with_unlimited_memory(function, +function);
}

void add_descriptors(Functions& all) {
    using Tensor = cutensorTensorDescriptor_t;
    using Mode = const std::int32_t*;
    add(all, "cutensorCreateTensorDescriptor",
        [](cutensorHandle_t, Tensor* output, std::uint32_t rank, const std::int64_t* extents, const std::int64_t* strides,
           cudaDataType type, std::uint32_t alignment) -> Status {
            const ::cutensorTensorDescriptor tensor{type, {extents, extents + rank}, {strides, strides + rank}, alignment};
            return made(record("tensor ", text(tensor)), output, tensor);
        });
    add(all, "cutensorCreateContraction",
        [](cutensorHandle_t, cutensorOperationDescriptor_t* output, Tensor a, Mode mode_a, cutensorOperator_t op_a, Tensor b,
           Mode mode_b, cutensorOperator_t op_b, Tensor c, Mode mode_c, cutensorOperator_t op_c, Tensor d, Mode mode_d,
           cutensorComputeDescriptor_t compute) -> Status {
            const ::cutensorOperationDescriptor made_of{factor_of(a, b),
                                                        {operand(a, mode_a, op_a), operand(b, mode_b, op_b), operand(d, mode_d)}};
            const Status status = record("contraction a=", text(made_of.tensors[0]), " b=", text(made_of.tensors[1]),
                                         " c=", text(operand(c, mode_c, op_c)), " d=", text(made_of.tensors[2]), " in ",
                                         reinterpret_cast<const char*>(compute), c == d ? "" : " c and d differ");
            return made(status, output, made_of);
        });
    add(all, "cutensorCreateContractionTrinary",
        [](cutensorHandle_t, cutensorOperationDescriptor_t* output, Tensor a, Mode mode_a, cutensorOperator_t op_a, Tensor b,
           Mode mode_b, cutensorOperator_t op_b, Tensor c, Mode mode_c, cutensorOperator_t op_c, Tensor d, Mode mode_d,
           cutensorOperator_t op_d, Tensor e, Mode mode_e, cutensorComputeDescriptor_t compute) -> Status {
            const ::cutensorOperationDescriptor made_of{
                factor_of(a, b),
                {operand(a, mode_a, op_a), operand(b, mode_b, op_b), operand(c, mode_c, op_c), operand(e, mode_e)}};
            const Status status =
                record("trinary a=", text(made_of.tensors[0]), " b=", text(made_of.tensors[1]), " c=", text(made_of.tensors[2]),
                       " d=", text(operand(d, mode_d, op_d)), " e=", text(made_of.tensors[3]), " in ",
                       reinterpret_cast<const char*>(compute), d == e ? "" : " d and e differ");
            return made(status, output, made_of);
        });
    add(all, "cutensorOperationDescriptorGetAttribute",
        [](cutensorHandle_t, cutensorOperationDescriptor_t operation, cutensorOperationDescriptorAttribute_t attribute,
           void* value, std::size_t size) -> Status {
            if (attribute != CUTENSOR_OPERATION_DESCRIPTOR_SCALAR_TYPE || size != sizeof(cudaDataType))
                return CUTENSOR_STATUS_INVALID_VALUE;
            std::memcpy(value, &operation->factor, size);
            return next_status();
        });
    add(all, "cutensorDestroyTensorDescriptor", [](Tensor object) -> Status { return destroyed(object); });
    add(all, "cutensorDestroyOperationDescriptor",
        [](cutensorOperationDescriptor_t object) -> Status { return destroyed(object); });
}

void add_plans(Functions& all) {
    add(all, "cutensorCreatePlanPreference",
        [](cutensorHandle_t, cutensorPlanPreference_t* output, cutensorAlgo_t algorithm, cutensorJitMode_t jit) -> Status {
            return made(next_status(), output, ::cutensorPlanPreference{algorithm, jit, {}});
        });
    add(all, "cutensorPlanPreferenceSetAttribute",
        [](cutensorHandle_t, cutensorPlanPreference_t preference, cutensorPlanPreferenceAttribute_t attribute, const void* value,
           std::size_t size) -> Status {
            if (size != sizeof(int)) return CUTENSOR_STATUS_INVALID_VALUE;
            std::memcpy(&preference->attributes[attribute], value, size);
            return next_status();
        });
    add(all, "cutensorEstimateWorkspaceSize",
        [](cutensorHandle_t, cutensorOperationDescriptor_t, cutensorPlanPreference_t, cutensorWorksizePreference_t preference,
           std::uint64_t* size) -> Status {
            *size = state().workspace;
            return record("estimate ", static_cast<int>(preference));
        });
    add(all, "cutensorCreatePlan",
        [](cutensorHandle_t, cutensorPlan_t* output, cutensorOperationDescriptor_t operation, cutensorPlanPreference_t preference,
           std::uint64_t limit) -> Status {
            std::string attributes;
            for (const auto& [attribute, value] : preference->attributes)
                attributes += " " + std::to_string(attribute) + "=" + std::to_string(value);
            const Status status =
                record("plan algorithm=", preference->algorithm, " jit=", preference->jit, attributes, " limit=", limit);
            return made(status, output, ::cutensorPlan{next_plan(), *operation, limit / 2});
        });
    add(all, "cutensorPlanGetAttribute",
        [](cutensorHandle_t, cutensorPlan_t plan, cutensorPlanAttribute_t attribute, void* value, std::size_t size) -> Status {
            if (attribute != CUTENSOR_PLAN_REQUIRED_WORKSPACE || size != sizeof plan->workspace)
                return CUTENSOR_STATUS_INVALID_VALUE;
            std::memcpy(value, &plan->workspace, size);
            return next_status();
        });
    add(all, "cutensorDestroyPlanPreference", [](cutensorPlanPreference_t object) -> Status { return destroyed(object); });
    add(all, "cutensorDestroyPlan", [](cutensorPlan_t object) -> Status { return destroyed(object); });
}

void add_calls(Functions& all) {
    add(all, "cutensorContract",
        [](cutensorHandle_t, cutensorPlan_t plan, const void* alpha, const void* a, const void* b, const void* beta,
           const void* c, void* d, void* workspace, std::uint64_t size, cudaStream_t stream) -> Status {
            submit(*plan, alpha, {a, b}, beta, c, d, stream);
            const cudaDataType type = plan->operation.factor;
            return record("contract plan=", plan->number, " alpha=", read(alpha, type), " beta=", read(beta, type), " a=", a,
                          " b=", b, " c=", c, " d=", d, " workspace=", workspace, " size=", size, " stream=", stream);
        });
    add(all, "cutensorContractTrinary",
        [](cutensorHandle_t, cutensorPlan_t plan, const void* alpha, const void* a, const void* b, const void* c,
           const void* beta, const void* d, void* e, void* workspace, std::uint64_t size, cudaStream_t stream) -> Status {
            submit(*plan, alpha, {a, b, c}, beta, d, e, stream);
            const cudaDataType type = plan->operation.factor;
            return record("contract plan=", plan->number, " alpha=", read(alpha, type), " beta=", read(beta, type), " a=", a,
                          " b=", b, " c=", c, " d=", d, " e=", e, " workspace=", workspace, " size=", size, " stream=", stream);
        });
}

void add_handles(Functions& all) {
    add(all, "cutensorCreate", [](cutensorHandle_t* output) -> Status {
        const Status status = record("create");
        if (status != CUTENSOR_STATUS_SUCCESS) return status;
        static std::list<::cutensorHandle> all;  // some are not destroyed, because their contexts have ended
        *output = &all.emplace_back();
        ++state().handles;
        return status;
    });
    add(all, "cutensorDestroy", [](cutensorHandle_t) -> Status {
        --state().handles;
        return next_status();
    });
    add(all, "cutensorHandleWritePlanCacheToFile", [](cutensorHandle_t, const char* file) -> Status {
        std::ofstream(file) << "plans";  // also if it fails
        return record("write");
    });
    add(all, "cutensorHandleReadPlanCacheFromFile", [](cutensorHandle_t, const char* file, std::uint32_t* count) -> Status {
        *count = 3;
        return record("read ", file);
    });
    static const char* const computations[] = {"16F", "16BF", "TF32", "3XTF32", "32F", "64F", "9X16BF", "4X16F", "8XINT8"};
    for (const char* const& each : computations)  // a variable that points to its name
        all[std::string("CUTENSOR_COMPUTE_DESC_") + each] = const_cast<char**>(&each);
}

Functions& functions() {
    static Functions all;
    return all;
}

void* find(const char* symbol) noexcept {
    const UnlimitedMemory memory;
    const auto found = functions().find(symbol);
    return found == functions().end() || state().missing.contains(symbol) ? nullptr : found->second;
}

constexpr Substitute stand_in{.path = "a stand-in", .found_via = "a test", .find = find};

}  // namespace

std::vector<std::string> CutensorStandIn::lines(const std::string& beginning) const {
    std::vector<std::string> found;
    for (const std::string& call : calls) {
        if (call.starts_with(beginning)) found.push_back(call);
    }
    return found;
}

CutensorStandIn& cutensor_stand_in() {
    return state();
}

ScopedCutensorStandIn::ScopedCutensorStandIn() {
    const UnlimitedMemory memory;
    state() = {};
    add_descriptors(functions());
    add_plans(functions());
    add_calls(functions());
    add_handles(functions());
    substitute(cutensor::library(), cutensor::all_entry_points(), &stand_in);
}

ScopedCutensorStandIn::~ScopedCutensorStandIn() {
    const UnlimitedMemory memory;
    substitute(cutensor::library(), cutensor::all_entry_points(), nullptr);
}

}  // namespace cubind::testing
