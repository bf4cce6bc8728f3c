// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
// A cuDSS that records its arguments and computes nothing, but allocates through the handler that it was given.
#include <cubind/cudss/types.hpp>

#include <cstdint>
#include <cstring>
#include <string>
#include <utility>

#include "sparse_record.hpp"
#include "unlimited_memory.hpp"

using cubind::testing::RecordedObject;

struct cudssContext : RecordedObject {
    using RecordedObject::RecordedObject;
    cubind::cudss::cudaStream_t stream = nullptr;
    cubind::cudss::cudssDeviceMemHandler_t memory = {};
};
struct cudssConfig : RecordedObject {
    using RecordedObject::RecordedObject;
};
struct cudssData : RecordedObject {
    using RecordedObject::RecordedObject;
};
struct cudssMatrix : RecordedObject {
    using RecordedObject::RecordedObject;
};

namespace cubind::testing {

using namespace cudss;

namespace {

using Functions = std::map<std::string, void*, std::less<>>;

template <class Function>
void add_cudss(Functions& functions, const std::string& symbol, Function function) {
    functions["cudss" + symbol] = with_unlimited_memory(function, +function);
}

template <class Object, class... Arguments>
int made(Object** object, const std::string& function, const std::string& text, const Arguments&... arguments) {
    const int status = recorded(function, arguments...);
    if (status == 0) *object = new Object(text);
    return status;
}

// Each parameter of the configuration is an int, an enum, an int64_t or a double.
std::string value_text(cudssConfigParam_t parameter, const void* value, std::size_t size) {
    if (parameter == CUDSS_CONFIG_PIVOT_THRESHOLD || parameter == CUDSS_CONFIG_PIVOT_EPSILON) {
        double number = 0;
        std::memcpy(&number, value, size);
        return std::to_string(number);
    }
    std::int64_t number = 0;
    std::memcpy(&number, value, size);
    return std::to_string(number) + " of " + std::to_string(size) + " bytes";
}

bool may_be_wide(cudssDataParam_t parameter) {
    return parameter == CUDSS_DATA_INFO || parameter == CUDSS_DATA_NPIVOTS || parameter == CUDSS_DATA_INERTIA;
}

int read_data(cudssHandle_t, cudssData_t, cudssDataParam_t parameter, void* value, std::size_t size, std::size_t* written) {
    const bool is_wide = !may_be_wide(parameter) || sparse_record().has_wide_results;
    const std::size_t count = parameter == CUDSS_DATA_MEMORY_ESTIMATES ? 16 : parameter == CUDSS_DATA_INERTIA ? 2 : 1;
    const std::size_t width = is_wide ? sizeof(std::int64_t) : sizeof(int);
    *written = count * width;
    if (value == nullptr) return recorded("DataGet size", parameter);
    if (size < *written) return CUDSS_STATUS_INVALID_VALUE;
    for (std::size_t i = 0; i < count; ++i) {
        const std::int64_t number = sparse_record().result + static_cast<std::int64_t>(i);
        const int narrow = static_cast<int>(number);
        std::memcpy(static_cast<char*>(value) + i * width, is_wide ? static_cast<const void*>(&number) : &narrow, width);
    }
    return recorded("DataGet", parameter);
}

int execute_phase(cudssHandle_t handle, int phase, cudssConfig_t, cudssData_t, cudssMatrix_t a, cudssMatrix_t x,
                  cudssMatrix_t b) {
    if (sparse_record().allocation != 0) {
        void* address = nullptr;
        if (handle->memory.device_alloc(handle->memory.ctx, &address, sparse_record().allocation, handle->stream) != 0)
            return CUDSS_STATUS_ALLOC_FAILED;
        sparse_record().allocations.push_back(address);
    }
    return recorded("Execute", phase, a, x, b, handle->stream);
}

Functions cudss_functions() {
    Functions all;
    add_cudss(all, "Create", [](cudssHandle_t* handle) { return made(handle, "cudssCreate", "handle"); });
    add_cudss(all, "Destroy", [](cudssHandle_t handle) {
        delete handle;
        return 0;
    });
    add_cudss(all, "SetStream", [](cudssHandle_t handle, cudaStream_t stream) {
        handle->stream = stream;
        return recorded("cudssSetStream", stream);
    });
    add_cudss(all, "SetDeviceMemHandler", [](cudssHandle_t handle, const cudssDeviceMemHandler_t* memory) {
        handle->memory = *memory;
        return recorded("SetDeviceMemHandler", std::string(memory->name));
    });
    add_cudss(all, "SetThreadingLayer",
              [](cudssHandle_t, const char* library) { return recorded("SetThreadingLayer", std::string(library)); });
    add_cudss(all, "ConfigCreate", [](cudssConfig_t* config) { return made(config, "ConfigCreate", "config"); });
    add_cudss(all, "ConfigDestroy", [](cudssConfig_t config) {
        delete config;
        return 0;
    });
    add_cudss(all, "ConfigSet", [](cudssConfig_t, cudssConfigParam_t parameter, const void* value, std::size_t size) {
        return recorded("ConfigSet", parameter, value_text(parameter, value, size));
    });
    add_cudss(all, "DataCreate", [](cudssHandle_t, cudssData_t* data) { return made(data, "DataCreate", "data"); });
    add_cudss(all, "DataDestroy", [](cudssHandle_t handle, cudssData_t data) {
        for (void* const address : std::exchange(sparse_record().allocations, {}))
            handle->memory.device_free(handle->memory.ctx, address, sparse_record().allocation, handle->stream);
        delete data;
        return recorded("DataDestroy", handle->stream);
    });
    all["cudssDataGet"] = with_unlimited_memory<read_data>();
    all["cudssExecute"] = with_unlimited_memory<execute_phase>();
    add_cudss(all, "MatrixCreateCsr",
              [](cudssMatrix_t* matrix, std::int64_t m, std::int64_t n, std::int64_t nnz, const void* begin, const void* end,
                 const void* columns, const void* values, cudaDataType offset, cudaDataType index, cudaDataType type,
                 cudssMatrixType_t kind, cudssMatrixViewType_t view, cudssIndexBase_t base) {
                  const std::string text =
                      call_text("csr", m, n, nnz, begin, end, columns, values, offset, index, type, kind, view, base);
                  return made(matrix, "MatrixCreateCsr", text, text);
              });
    add_cudss(all, "MatrixCreateDn",
              [](cudssMatrix_t* matrix, std::int64_t m, std::int64_t n, std::int64_t leading, const void* values,
                 cudaDataType type, cudssLayout_t layout) {
                  const std::string text = call_text("dense", m, n, leading, values, type, layout);
                  return made(matrix, "MatrixCreateDn", text, text);
              });
    add_cudss(all, "MatrixSetValues",
              [](cudssMatrix_t matrix, const void* values) { return recorded("MatrixSetValues", matrix, values); });
    add_cudss(all, "MatrixDestroy", [](cudssMatrix_t matrix) {
        delete matrix;
        return 0;
    });
    return all;
}

}  // namespace

void* find_cudss(const char* symbol) noexcept {
    const UnlimitedMemory memory;
    static const Functions functions = cudss_functions();
    const auto found = functions.find(symbol);
    return found == functions.end() ? nullptr : found->second;
}

}  // namespace cubind::testing
