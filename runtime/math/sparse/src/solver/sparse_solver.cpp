// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/math_sparse/sparse_solver.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <mutex>
#include <string>
#include <utility>

#include "operand/checks.hpp"
#include "operand/native_type.hpp"
#include "plan/call_order.hpp"
#include "plan/plan_state.hpp"
#include "solver/cudss.hpp"
#include "solver/solver_memory.hpp"

namespace CUBIND_NAMESPACE::math {

using namespace cudss;
using namespace detail;

namespace {

constexpr const char* solver_name = "SparseSolver";

/// How far a solver has come.
enum class Progress { created, analyzed, factorized };

void check_solver(const SparseMatrix& a, const Operand& b, const Operand& x, const SparseSolverOptions& options) {
    const bool is_stored = a.format() == SparseFormat::csr && !a.is_transposed() && !a.is_conjugated();
    if (!is_stored || a.rows() != a.columns() || a.dtype().bits == 16) {
        throw_misuse(solver_name, ": the matrix is ", to_string(a),
                     ", but a square one in csr of float32, float64, complex64 or complex128, not transposed, is required: "
                     "convert it");
    }
    if (options.system == SparseSystem::general && options.triangle != SparseTriangle::full)
        throw_misuse(solver_name, ": system is general, whose triangle must be full, because no symmetry gives the other one");
    check_rank(solver_name, "b", b, 1, 2);
    Dimensions shape = b.shape();
    shape.set(0, a.rows());
    check_shape(solver_name, "b", b, shape);
    check_shape(solver_name, "x", x, shape);
    check_type(solver_name, "b", b, a.dtype());
    check_type(solver_name, "x", x, a.dtype());
}

cudssMatrixType_t type_of(const SparseMatrix& a, SparseSystem system) {
    switch (system) {
        case SparseSystem::general:
            return CUDSS_MTYPE_GENERAL;
        case SparseSystem::symmetric:
            return CUDSS_MTYPE_SYMMETRIC;
        case SparseSystem::hermitian:
            return CUDSS_MTYPE_HERMITIAN;
        case SparseSystem::positive_definite:
            break;
    }
    return a.dtype().kind == DataTypeKind::complex ? CUDSS_MTYPE_HPD : CUDSS_MTYPE_SPD;
}

// b and x in column-major order: elements from one column to the next.
std::int64_t leading_dimension(const char* name, const Operand& operand) {
    const std::int64_t rows = operand.extent(0);
    const std::int64_t columns = operand.rank() == 2 ? operand.extent(1) : 1;
    const std::int64_t leading = columns > 1 ? operand.strides()[1] : rows;
    if ((rows > 1 && operand.strides()[0] != 1) || leading < rows) {
        throw_misuse(solver_name, ": ", detail::describe(name, operand),
                     ", but column-major order is required: the first stride is 1, the second at least ", rows);
    }
    return leading;
}

CudssObject<cudssMatrix_t> describe_dense(const char* name, const Operand& operand) {
    return CudssObject<cudssMatrix_t>(checked(
        cudssMatrixCreateDn(operand.extent(0), operand.rank() == 2 ? operand.extent(1) : 1, leading_dimension(name, operand),
                            operand.data(), *find_native_type(operand.dtype()), CUDSS_LAYOUT_COL_MAJOR),
        [&] { return concat(detail::describe(name, operand), "."); }));
}

CudssObject<cudssMatrix_t> describe_system(const SparseMatrix& a, const SparseSolverOptions& options) {
    return CudssObject<cudssMatrix_t>(
        checked(cudssMatrixCreateCsr(a.rows(), a.columns(), a.entries(), a.offsets().data(), nullptr, a.column_indices().data(),
                                     a.values().data(), *find_native_type(a.offsets().dtype()),
                                     *find_native_type(a.column_indices().dtype()), *find_native_type(a.dtype()),
                                     type_of(a, options.system), static_cast<cudssMatrixViewType_t>(options.triangle),
                                     static_cast<cudssIndexBase_t>(a.options().first_index)),
                [&] { return concat("The matrix is ", to_string(a), "."); }));
}

}  // namespace

struct SparseSolver::State : PlanState {
    State(StreamRef stream, SparseMatrix matrix, const Operand& b_operand, const Output& x_operand,
          const SparseSolverOptions& solver_options);
    ~State();

    template <class Value>
    void set(cudssConfigParam_t parameter, const Value& value, const char* name) {
        checked(cudssConfigSet(config.get(), parameter, &value, sizeof value),
                [&] { return concat("The option ", name, " was refused."); });
    }
    void configure(const SparseSolverOptions& solver_options);
    /// Runs a phase, after the work of the previous call.
    void run(const char* phase_name, cudssPhase_t phase, StreamRef stream, const PlanCall& call);
    /// Reads integers that the library has as int or as int64_t.
    void read(cudssDataParam_t parameter, const char* name, std::int64_t* values, std::size_t count);
    std::int64_t read_one(cudssDataParam_t parameter, const char* name, Progress needed);
    void check_progress(const char* operation, Progress needed) const;
    std::string what(const char* phase_name) {
        std::string text = concat(phase_name, " of ", to_string(a), ", with ", columns, " right-hand sides, failed.");
        if (const std::string failure = memory.take_failure(); !failure.empty()) text += " The memory resource: " + failure + ".";
        return text;
    }

    SparseMatrix a;
    const Operand offsets, indices;
    Operand values;
    DataType type;
    Dimensions shape, b_strides, x_strides;
    std::int64_t columns;
    bool is_empty;
    Progress progress = Progress::created;
    CallOrder order;
    SolverMemory memory;
    // In the order of creation; the factors end before the handle.
    CudssObject<cudssHandle_t> handle;
    CudssObject<cudssConfig_t> config;
    CudssData data;
    CudssObject<cudssMatrix_t> a_object, b_object, x_object;
};

SparseSolver::State::State(StreamRef stream, SparseMatrix matrix, const Operand& b_operand, const Output& x_operand,
                           const SparseSolverOptions& solver_options)
    : PlanState(stream.device(), solver_options.plan),
      a(std::move(matrix)),
      offsets(a.offsets()),
      indices(a.column_indices()),
      values(a.values()),
      type(b_operand.dtype()),
      shape(b_operand.shape()),
      b_strides(b_operand.strides()),
      x_strides(x_operand.strides()),
      columns(b_operand.rank() == 2 ? b_operand.extent(1) : 1),
      is_empty(x_operand.size() == 0),
      memory(options.memory_resource ? *options.memory_resource : device.memory_resource()) {
    check_solver(a, b_operand, x_operand, solver_options);
    check_operands(solver_name, device, {{"b", &b_operand}, {"x", &x_operand, true}, {"values", &values}});
    order.begin(stream);
    if (is_empty) return;
    PlanCall call(solver_name, *this, stream);
    const auto text = [] { return std::string("A solver could not be created."); };
    handle.reset(checked(cudssCreate(), text));
    checked(cudssSetStream(handle.get(), reinterpret_cast<cudaStream_t>(call.stream())), text);
    const cudssDeviceMemHandler_t handler = memory.handler();
    checked(cudssSetDeviceMemHandler(handle.get(), &handler), text);
    if (!solver_options.threading_library.empty()) {
        checked(cudssSetThreadingLayer(handle.get(), solver_options.threading_library.c_str()),
                [&] { return concat("threading_library is ", solver_options.threading_library, "."); });
    }
    config.reset(checked(cudssConfigCreate(), text));
    configure(solver_options);
    data = CudssData(checked(cudssDataCreate(handle.get()), text), {handle.get()});
    a_object = describe_system(a, solver_options);
    b_object = describe_dense("b", b_operand);
    x_object = describe_dense("x", x_operand);
}

SparseSolver::State::~State() {
    if (!handle) return;
    if (order.has_ended()) {  // what the library had on the device is gone, and freeing it again is an error
        static_cast<void>(x_object.release()), static_cast<void>(b_object.release()), static_cast<void>(a_object.release());
        static_cast<void>(data.release()), static_cast<void>(config.release()), static_cast<void>(handle.release());
        return;
    }
    try {
        const ScopedContext scope{context};
        // The library frees memory in the order of its stream, which `order` retains.
        x_object.reset();
        b_object.reset();
        a_object.reset();
        data.reset();
        config.reset();
        handle.reset();
    } catch (const std::exception& error) {
        report_failed_release("SparseSolver::~SparseSolver", error.what());
    }
}

void SparseSolver::State::configure(const SparseSolverOptions& solver_options) {
    // The enumerators of the options have the order of the library's.
    if (solver_options.reordering != SparseReordering::automatic)
        set(CUDSS_CONFIG_REORDERING_ALG, static_cast<cudssReorderingAlg_t>(solver_options.reordering), "reordering");
    if (solver_options.pivoting != SparsePivoting::automatic)
        set(CUDSS_CONFIG_PIVOT_TYPE, static_cast<cudssPivotType_t>(solver_options.pivoting), "pivoting");
    if (solver_options.pivot_threshold) set(CUDSS_CONFIG_PIVOT_THRESHOLD, *solver_options.pivot_threshold, "pivot_threshold");
    if (solver_options.pivot_epsilon) set(CUDSS_CONFIG_PIVOT_EPSILON, *solver_options.pivot_epsilon, "pivot_epsilon");
    if (solver_options.refinement_steps != 0) set(CUDSS_CONFIG_IR_N_STEPS, solver_options.refinement_steps, "refinement_steps");
    if (solver_options.deterministic) set(CUDSS_CONFIG_DETERMINISTIC_MODE, int{1}, "deterministic");
    if (solver_options.hybrid_memory) set(CUDSS_CONFIG_HYBRID_MEMORY_MODE, int{1}, "hybrid_memory");
    if (solver_options.device_memory_limit) {
        if (!solver_options.hybrid_memory)
            throw_misuse(solver_name, ": device_memory_limit is set, but only hybrid_memory has such a limit: set it, too");
        set(CUDSS_CONFIG_HYBRID_DEVICE_MEMORY_LIMIT, static_cast<std::int64_t>(*solver_options.device_memory_limit),
            "device_memory_limit");
    }
    if (solver_options.hybrid_execute) set(CUDSS_CONFIG_HYBRID_EXECUTE_MODE, int{1}, "hybrid_execute");
}

void SparseSolver::State::check_progress(const char* operation, Progress needed) const {
    if (progress >= needed) return;
    throw_misuse(operation, ": ", needed == Progress::analyzed ? "analyze()" : "factorize()",
                 " was not called, but determines what this call uses: call it before");
}

void SparseSolver::State::run(const char* phase_name, cudssPhase_t phase, StreamRef stream, const PlanCall& call) {
    if (is_captured(stream))
        throw_misuse(phase_name, ": the stream is captured, but cuDSS allocates and waits in its phases: call it before");
    check_operands(phase_name, device, {{"values", &values}});
    if (is_empty) return;
    if (order.follow(phase_name, stream)) {
        checked(cudssSetStream(handle.get(), reinterpret_cast<cudaStream_t>(call.stream())), [&] { return what(phase_name); });
    }
    checked(cudssExecute(handle.get(), static_cast<int>(phase), config.get(), data.get(), a_object.get(), x_object.get(),
                         b_object.get()),
            [&] { return what(phase_name); });
}

void SparseSolver::State::read(cudssDataParam_t parameter, const char* name, std::int64_t* numbers, std::size_t count) {
    const ScopedContext scope{context};
    const auto text = [&] { return concat("The result ", name, " could not be read."); };
    alignas(8) std::byte bytes[16 * sizeof(std::int64_t)] = {};
    const std::size_t size = checked(cudssDataGet(handle.get(), data.get(), parameter, nullptr, 0), text);
    const std::size_t written =
        checked(cudssDataGet(handle.get(), data.get(), parameter, bytes, std::min(size, sizeof bytes)), text);
    const bool is_wide = size >= count * sizeof(std::int64_t);
    for (std::size_t i = 0; i < count && (i + 1) * (is_wide ? 8 : 4) <= written; ++i) {
        if (is_wide) {
            std::memcpy(numbers + i, bytes + 8 * i, 8);
        } else {
            std::int32_t number;
            std::memcpy(&number, bytes + 4 * i, 4);
            numbers[i] = number;
        }
    }
}

std::int64_t SparseSolver::State::read_one(cudssDataParam_t parameter, const char* name, Progress needed) {
    const std::lock_guard lock(mutex);
    check_progress(name, needed);
    std::int64_t number = 0;
    if (!is_empty) read(parameter, name, &number, 1);
    return number;
}

SparseSolver::SparseSolver(StreamRef stream, SparseMatrix a, const Operand& b, const Output& x,
                           const SparseSolverOptions& options)
    : state_(std::make_unique<State>(stream, std::move(a), b, x, options)) {}
SparseSolver::SparseSolver(SparseSolver&&) noexcept = default;
SparseSolver& SparseSolver::operator=(SparseSolver&&) noexcept = default;
SparseSolver::~SparseSolver() = default;

void SparseSolver::analyze(StreamRef stream) {
    const PlanCall call("SparseSolver::analyze", *state_, stream);
    state_->progress = Progress::created;
    state_->run("SparseSolver::analyze", CUDSS_PHASE_ANALYSIS, stream, call);
    state_->progress = Progress::analyzed;
}

void SparseSolver::factorize(StreamRef stream) {
    const PlanCall call("SparseSolver::factorize", *state_, stream);
    state_->check_progress("SparseSolver::factorize", Progress::analyzed);
    state_->progress = Progress::analyzed;
    state_->run("SparseSolver::factorize", CUDSS_PHASE_FACTORIZATION, stream, call);
    state_->progress = Progress::factorized;
}

void SparseSolver::refactorize(StreamRef stream) {
    const PlanCall call("SparseSolver::refactorize", *state_, stream);
    state_->check_progress("SparseSolver::refactorize", Progress::factorized);
    state_->run("SparseSolver::refactorize", CUDSS_PHASE_REFACTORIZATION, stream, call);
}

void SparseSolver::solve(StreamRef stream, const Operand& b, const Output& x) {
    constexpr auto operation = "SparseSolver::solve";
    State& plan = *state_;
    check_type(operation, "b", b, plan.type);
    check_shape(operation, "b", b, plan.shape);
    check_strides(operation, "b", b, plan.b_strides);
    check_type(operation, "x", x, plan.type);
    check_shape(operation, "x", x, plan.shape);
    check_strides(operation, "x", x, plan.x_strides);
    const PlanCall call(operation, plan, stream);
    plan.check_progress(operation, Progress::factorized);
    check_operands(
        operation, plan.device,
        {{"b", &b}, {"x", &x, true}, {"offsets", &plan.offsets}, {"columns", &plan.indices}, {"values", &plan.values}});
    if (!plan.is_empty) {
        const auto text = [&] { return plan.what(operation); };
        checked(cudssMatrixSetValues(plan.b_object.get(), b.data()), text);
        checked(cudssMatrixSetValues(plan.x_object.get(), x.data()), text);
    }
    plan.run(operation, CUDSS_PHASE_SOLVE, stream, call);
}

void SparseSolver::set_values(const Operand& values) {
    State& plan = *state_;
    const std::lock_guard lock(plan.mutex);
    plan.a = plan.a.with_values(values);
    plan.values = Operand(plan.a.values());
    if (plan.is_empty) return;
    checked(cudssMatrixSetValues(plan.a_object.get(), plan.a.values().data()),
            [&] { return plan.what("SparseSolver::set_values"); });
}

std::optional<std::int64_t> SparseSolver::failed_pivot() const {
    const std::int64_t info = state_->read_one(CUDSS_DATA_INFO, "SparseSolver::failed_pivot", Progress::factorized);
    return info == 0 ? std::nullopt : std::optional(info);
}

std::int64_t SparseSolver::replaced_pivots() const {
    return state_->read_one(CUDSS_DATA_NPIVOTS, "SparseSolver::replaced_pivots", Progress::factorized);
}

std::int64_t SparseSolver::factor_entries() const {
    return state_->read_one(CUDSS_DATA_LU_NNZ, "SparseSolver::factor_entries", Progress::analyzed);
}

SparseMemoryEstimates SparseSolver::memory_estimates() const {
    const std::lock_guard lock(state_->mutex);
    state_->check_progress("SparseSolver::memory_estimates", Progress::analyzed);
    std::int64_t sizes[6] = {};
    if (!state_->is_empty) state_->read(CUDSS_DATA_MEMORY_ESTIMATES, "SparseSolver::memory_estimates", sizes, 6);
    return {sizes[0], sizes[1], sizes[2], sizes[3], sizes[4], sizes[5]};
}

SparseInertia SparseSolver::inertia() const {
    const std::lock_guard lock(state_->mutex);
    state_->check_progress("SparseSolver::inertia", Progress::factorized);
    std::int64_t counts[2] = {};
    if (!state_->is_empty) state_->read(CUDSS_DATA_INERTIA, "SparseSolver::inertia", counts, 2);
    return {counts[0], counts[1]};
}

const SparseMatrix& SparseSolver::matrix() const {
    return state_->a;
}

std::optional<std::int64_t> solve(StreamRef stream, const SparseMatrix& a, const Operand& b, const Output& x,
                                  const SparseSolverOptions& options) {
    SparseSolver solver(stream, a, b, x, options);
    solver.analyze(stream);
    solver.factorize(stream);
    if (const auto pivot = solver.failed_pivot()) return pivot;
    solver.solve(stream, b, x);
    return std::nullopt;
}

}  // namespace CUBIND_NAMESPACE::math
