# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Facts that api-specs/ does not contain: what a random call may pass where a field or an opaque parameter is a pointer."""

# {field of any record: field that counts its elements, or 1 if it points to one object}
ELEMENTS = {
    "paramArray": "count", "extSemArray": "numExtSems", "paramsArray": "numExtSems", "accessDescs": "accessDescCount",
    "execAffinityParams": "numExecAffinityParams", "gpuPairs": "gpuPairsCount", "attrs": "numAttrs", "cigParams": 1,
    "streamCigParams": 1, "dstActBytes": 1,
}
# Fields that point to bytes of the program: host operands of copies, and pointers that the driver does not dereference.
BYTES = {"srcHost", "dstHost", "src", "dst", "userData", "base_ptr", "sharedData", "streamSharedData"}
KERNEL_ARGUMENTS = "kernelParams"
KERNEL_EXTRA = "extra"

# {record: (field that selects the active member of a union, {enumerator: member})}
TAGS = {
    "CUgraphNodeParams_st": ("type", {
        "CU_GRAPH_NODE_TYPE_KERNEL": "kernel", "CU_GRAPH_NODE_TYPE_MEMCPY": "memcpy", "CU_GRAPH_NODE_TYPE_MEMSET": "memset",
        "CU_GRAPH_NODE_TYPE_HOST": "host", "CU_GRAPH_NODE_TYPE_GRAPH": "graph", "CU_GRAPH_NODE_TYPE_WAIT_EVENT": "eventWait",
        "CU_GRAPH_NODE_TYPE_EVENT_RECORD": "eventRecord", "CU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL": "extSemSignal",
        "CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT": "extSemWait", "CU_GRAPH_NODE_TYPE_MEM_ALLOC": "alloc",
        "CU_GRAPH_NODE_TYPE_MEM_FREE": "free", "CU_GRAPH_NODE_TYPE_BATCH_MEM_OP": "memOp",
        "CU_GRAPH_NODE_TYPE_CONDITIONAL": "conditional"}),
    "CUstreamBatchMemOpParams_union": ("operation", {
        "CU_STREAM_MEM_OP_WAIT_VALUE_32": "waitValue", "CU_STREAM_MEM_OP_WAIT_VALUE_64": "waitValue",
        "CU_STREAM_MEM_OP_WRITE_VALUE_32": "writeValue", "CU_STREAM_MEM_OP_WRITE_VALUE_64": "writeValue",
        "CU_STREAM_MEM_OP_FLUSH_REMOTE_WRITES": "flushRemoteWrites", "CU_STREAM_MEM_OP_BARRIER": "memoryBarrier",
        "CU_STREAM_MEM_OP_ATOMIC_REDUCTION": "atomicReduction"}),
    "CUDA_RESOURCE_DESC_st": ("resType", {
        "CU_RESOURCE_TYPE_ARRAY": "array", "CU_RESOURCE_TYPE_MIPMAPPED_ARRAY": "mipmap", "CU_RESOURCE_TYPE_LINEAR": "linear",
        "CU_RESOURCE_TYPE_PITCH2D": "pitch2D"}),
    "CUmemcpy3DOperand_st": ("type", {"CU_MEMCPY_OPERAND_TYPE_POINTER": "ptr", "CU_MEMCPY_OPERAND_TYPE_ARRAY": "array"}),
}

# Types of numbers that serve as handles: one call returns them, and other calls have them as arguments.
HANDLE_NUMBERS = {
    "CUdevice_v1", "CUdeviceptr_v1", "CUdeviceptr_v2", "CUmemGenericAllocationHandle_v1", "CUtexObject_v1", "CUsurfObject_v1",
    "CUgraphConditionalHandle", "CUlogicalEndpointId",
}
# All types that hold addresses of device memory share one pool.
SAME_POOL = {"CUdeviceptr_v1": "CUdeviceptr_v2"}

# {opaque parameter: how it is passed}. All other opaque parameters point to bytes of the program.
OPAQUE = {
    "kernelParams": "kernel_arguments", "extra": "kernel_extra", "image": "image", "code": "image", "fatCubin": "image",
    "p": "host_address", "osHandle": "shared_handle", "handle": "shared_handle",
    "shareableHandle": "exported_handle", "handle_out": "exported_handle",
}
# Parameters that are paths of files. Only files that can be neither read nor modified are passed.
PATHS = {"path", "pathToFile", "fname", "fileName"}
# {array of untyped values: array of the options at the same indices that determine their types}
OPTION_VALUES = {"optionValues": "options", "jitOptionsValues": "jitOptions", "libraryOptionValues": "libraryOptions"}
# Functions that use their option values until the object that they create is destroyed.
RETAINING = "cuLinkCreate"

# Maximum of numbers that could otherwise cause an endless loop or wait.
MAX_VALUES = {"defaultLaunchValue": 1}
