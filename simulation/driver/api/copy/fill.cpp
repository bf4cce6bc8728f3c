// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <simulation/functions.hpp>

#include "machine/submit.hpp"

namespace CUBIND_NAMESPACE::sim {

namespace {

// Fills a box with elements of `size` bytes.
CUresult fill(const Place& to, const BoxExtent& extent, unsigned value, std::size_t size, CUstream handle, TransferMode mode) {
    const bool is_async = mode == TransferMode::async;
    const Valid<StreamCheck> stream(handle, is_async ? InHostFunction::permitted : InHostFunction::refused);
    if (const CUresult status = check_alignment(to, extent, size)) return status;
    return extent.is_empty() ? CUDA_SUCCESS : submit(stream, FillOperation{to, extent, value, size}, mode);
}

CUresult fill_line(CUdeviceptr to, unsigned value, std::size_t size, std::size_t count, CUstream stream, TransferMode mode) {
    std::size_t width = 0;
    if (__builtin_mul_overflow(count, size, &width)) return CUDA_ERROR_INVALID_VALUE;
    return fill({.side = Side::device, .address = to}, {width}, value, size, stream, mode);
}

CUresult fill_plane(CUdeviceptr to, std::size_t pitch, unsigned value, std::size_t size, std::size_t count, std::size_t rows,
                    CUstream stream, TransferMode mode) {
    std::size_t width = 0;
    if (__builtin_mul_overflow(count, size, &width) || (rows > 1 && pitch < width)) return CUDA_ERROR_INVALID_VALUE;
    return fill({.side = Side::device, .address = to, .pitch = pitch}, {width, rows}, value, size, stream, mode);
}

}  // namespace

extern "C" {

CUresult sim_cuMemsetD8_v2(CUdeviceptr dstDevice, unsigned char uc, std::size_t N) {
    return fill_line(dstDevice, uc, 1, N, nullptr, TransferMode::sync);
}

CUresult sim_cuMemsetD8Async(CUdeviceptr dstDevice, unsigned char uc, std::size_t N, CUstream hStream) {
    return fill_line(dstDevice, uc, 1, N, hStream, TransferMode::async);
}

CUresult sim_cuMemsetD16_v2(CUdeviceptr dstDevice, unsigned short us, std::size_t N) {
    return fill_line(dstDevice, us, 2, N, nullptr, TransferMode::sync);
}

CUresult sim_cuMemsetD16Async(CUdeviceptr dstDevice, unsigned short us, std::size_t N, CUstream hStream) {
    return fill_line(dstDevice, us, 2, N, hStream, TransferMode::async);
}

CUresult sim_cuMemsetD32_v2(CUdeviceptr dstDevice, unsigned int ui, std::size_t N) {
    return fill_line(dstDevice, ui, 4, N, nullptr, TransferMode::sync);
}

CUresult sim_cuMemsetD32Async(CUdeviceptr dstDevice, unsigned int ui, std::size_t N, CUstream hStream) {
    return fill_line(dstDevice, ui, 4, N, hStream, TransferMode::async);
}

CUresult sim_cuMemsetD2D8_v2(CUdeviceptr dstDevice, std::size_t dstPitch, unsigned char uc, std::size_t Width,
                             std::size_t Height) {
    return fill_plane(dstDevice, dstPitch, uc, 1, Width, Height, nullptr, TransferMode::sync);
}

CUresult sim_cuMemsetD2D8Async(CUdeviceptr dstDevice, std::size_t dstPitch, unsigned char uc, std::size_t Width,
                               std::size_t Height, CUstream hStream) {
    return fill_plane(dstDevice, dstPitch, uc, 1, Width, Height, hStream, TransferMode::async);
}

CUresult sim_cuMemsetD2D16_v2(CUdeviceptr dstDevice, std::size_t dstPitch, unsigned short us, std::size_t Width,
                              std::size_t Height) {
    return fill_plane(dstDevice, dstPitch, us, 2, Width, Height, nullptr, TransferMode::sync);
}

CUresult sim_cuMemsetD2D16Async(CUdeviceptr dstDevice, std::size_t dstPitch, unsigned short us, std::size_t Width,
                                std::size_t Height, CUstream hStream) {
    return fill_plane(dstDevice, dstPitch, us, 2, Width, Height, hStream, TransferMode::async);
}

CUresult sim_cuMemsetD2D32_v2(CUdeviceptr dstDevice, std::size_t dstPitch, unsigned int ui, std::size_t Width,
                              std::size_t Height) {
    return fill_plane(dstDevice, dstPitch, ui, 4, Width, Height, nullptr, TransferMode::sync);
}

CUresult sim_cuMemsetD2D32Async(CUdeviceptr dstDevice, std::size_t dstPitch, unsigned int ui, std::size_t Width,
                                std::size_t Height, CUstream hStream) {
    return fill_plane(dstDevice, dstPitch, ui, 4, Width, Height, hStream, TransferMode::async);
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim
