// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <simulation/functions.hpp>

#include "machine/submit.hpp"

/// Copies to and from arrays by a byte offset. They can only reach the first row.
namespace CUBIND_NAMESPACE::sim {

namespace {

CUresult copy_to_array(CUarray to, std::size_t offset, const Place& from, std::size_t bytes, CUstream stream, TransferMode mode) {
    if (const CUresult status = check_initialized()) return status;
    Place target;
    if (bytes != 0) {
        if (const CUresult status = place_in_array(machine().arrays.find(to), offset, 0, 0, {bytes}, target)) return status;
    }
    return transfer(target, from, {bytes}, stream, mode);
}

CUresult copy_from_array(const Place& to, CUarray from, std::size_t offset, std::size_t bytes, CUstream stream,
                         TransferMode mode) {
    if (const CUresult status = check_initialized()) return status;
    Place source;
    if (bytes != 0) {
        if (const CUresult status = place_in_array(machine().arrays.find(from), offset, 0, 0, {bytes}, source)) return status;
    }
    return transfer(to, source, {bytes}, stream, mode);
}

}  // namespace

extern "C" {

CUresult sim_cuMemcpyDtoA_v2(CUarray dstArray, std::size_t dstOffset, CUdeviceptr srcDevice, std::size_t ByteCount) {
    return copy_to_array(dstArray, dstOffset, device_place(srcDevice), ByteCount, nullptr, TransferMode::sync);
}

CUresult sim_cuMemcpyHtoA_v2(CUarray dstArray, std::size_t dstOffset, const void* srcHost, std::size_t ByteCount) {
    return copy_to_array(dstArray, dstOffset, host_place(srcHost), ByteCount, nullptr, TransferMode::sync);
}

CUresult sim_cuMemcpyHtoAAsync_v2(CUarray dstArray, std::size_t dstOffset, const void* srcHost, std::size_t ByteCount,
                                  CUstream hStream) {
    return copy_to_array(dstArray, dstOffset, host_place(srcHost), ByteCount, hStream, TransferMode::async);
}

CUresult sim_cuMemcpyAtoD_v2(CUdeviceptr dstDevice, CUarray srcArray, std::size_t srcOffset, std::size_t ByteCount) {
    return copy_from_array(device_place(dstDevice), srcArray, srcOffset, ByteCount, nullptr, TransferMode::sync);
}

CUresult sim_cuMemcpyAtoH_v2(void* dstHost, CUarray srcArray, std::size_t srcOffset, std::size_t ByteCount) {
    return copy_from_array(host_place(dstHost), srcArray, srcOffset, ByteCount, nullptr, TransferMode::sync);
}

CUresult sim_cuMemcpyAtoHAsync_v2(void* dstHost, CUarray srcArray, std::size_t srcOffset, std::size_t ByteCount,
                                  CUstream hStream) {
    return copy_from_array(host_place(dstHost), srcArray, srcOffset, ByteCount, hStream, TransferMode::async);
}

CUresult sim_cuMemcpyAtoA_v2(CUarray dstArray, std::size_t dstOffset, CUarray srcArray, std::size_t srcOffset,
                             std::size_t ByteCount) {
    if (const CUresult status = check_initialized()) return status;
    Place source;
    if (ByteCount != 0) {
        if (const CUresult status = place_in_array(machine().arrays.find(srcArray), srcOffset, 0, 0, {ByteCount}, source))
            return status;
    }
    return copy_to_array(dstArray, dstOffset, source, ByteCount, nullptr, TransferMode::sync);
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim
