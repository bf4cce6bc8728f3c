# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Judgements that api-specs/ does not hold: what a random call may put where a field, or an opaque parameter, is a pointer."""

# Field of any record: the field that counts its elements, or 1 where it points to one.
ELEMENTS = {
    "paramArray": "count", "extSemArray": "numExtSems", "paramsArray": "numExtSems", "accessDescs": "accessDescCount",
    "execAffinityParams": "numExecAffinityParams", "gpuPairs": "gpuPairsCount", "attrs": "numAttrs", "cigParams": 1,
    "streamCigParams": 1, "dstActBytes": 1,
}
# Fields that point to bytes of the program; what copies call the host's, and whatever is passed on unread.
BYTES = {"srcHost", "dstHost", "src", "dst", "userData", "base_ptr", "sharedData", "streamSharedData"}
KERNEL_ARGUMENTS = "kernelParams"
KERNEL_EXTRA = "extra"

# Record: the field that says which member of a union holds, and by its enumerators the members' names.
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

# Numbers that are handles: what one call gives, another takes.
HANDLE_NUMBERS = {
    "CUdevice_v1", "CUdeviceptr_v1", "CUdeviceptr_v2", "CUmemGenericAllocationHandle_v1", "CUtexObject_v1", "CUsurfObject_v1",
    "CUgraphConditionalHandle", "CUlogicalEndpointId",
}
# Whatever holds addresses of device memory is drawn from one pool.
SAME_POOL = {"CUdeviceptr_v1": "CUdeviceptr_v2"}

# Opaque parameters by name; any other points to enough bytes.
OPAQUE = {
    "kernelParams": "kernel_arguments", "extra": "kernel_extra", "image": "image", "code": "image", "fatCubin": "image",
    "p": "host_address", "osHandle": "shared_handle", "handle": "shared_handle",
    "shareableHandle": "exported_handle",
}
# Names of files: only such as can be neither read nor written.
PATHS = {"path", "pathToFile", "fname", "fileName"}
# Arrays of untyped values, each with what the option at the same place says of it.
OPTION_VALUES = {"optionValues": "options", "jitOptionsValues": "jitOptions", "libraryOptionValues": "libraryOptions"}
# Functions whose option values are the driver's until what they make is destroyed.
KEEPING = "cuLinkCreate"

# Numbers that would make a loop or a wait of the program's own last for ever.
MOST = {"defaultLaunchValue": 1}
