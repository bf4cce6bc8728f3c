// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "api/graph/node_records.hpp"

namespace CUBIND_NAMESPACE::sim {

using namespace driver;

CUgraphNodeParams parameters_of(const CUDA_KERNEL_NODE_PARAMS& record) {
    CUgraphNodeParams parameters = parameters_for(KernelOperation::type);
    parameters.kernel = {record.func,         record.gridDimX,  record.gridDimY,  record.gridDimZ,
                         record.blockDimX,    record.blockDimY, record.blockDimZ, record.sharedMemBytes,
                         record.kernelParams, record.extra,     record.kern,      record.ctx};
    return parameters;
}

// The first version of the record has a function only, and no kernel or context.
CUgraphNodeParams parameters_of(const CUDA_KERNEL_NODE_PARAMS_v1& record) {
    return parameters_of(CUDA_KERNEL_NODE_PARAMS{record.func, record.gridDimX, record.gridDimY, record.gridDimZ, record.blockDimX,
                                                 record.blockDimY, record.blockDimZ, record.sharedMemBytes, record.kernelParams,
                                                 record.extra, nullptr, nullptr});
}

CUgraphNodeParams parameters_of(const CUDA_HOST_NODE_PARAMS& record) {
    CUgraphNodeParams parameters = parameters_for(HostOperation::type);
    parameters.host.fn = record.fn;
    parameters.host.userData = record.userData;
    return parameters;
}

CUgraphNodeParams parameters_of(const CUDA_BATCH_MEM_OP_NODE_PARAMS& record) {
    CUgraphNodeParams parameters = parameters_for(MemoryOperations::type);
    parameters.memOp = {record.ctx, record.count, record.paramArray, record.flags};
    return parameters;
}

CUgraphNodeParams parameters_of(const CUDA_EXT_SEM_SIGNAL_NODE_PARAMS& record) {
    CUgraphNodeParams parameters = parameters_for(SemaphoreSignals::type);
    parameters.extSemSignal = {record.extSemArray, record.paramsArray, record.numExtSems, {nullptr}};
    return parameters;
}

CUgraphNodeParams parameters_of(const CUDA_EXT_SEM_WAIT_NODE_PARAMS& record) {
    CUgraphNodeParams parameters = parameters_for(SemaphoreWaits::type);
    parameters.extSemWait = {record.extSemArray, record.paramsArray, record.numExtSems, {nullptr}};
    return parameters;
}

}  // namespace CUBIND_NAMESPACE::sim
