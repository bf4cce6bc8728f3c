// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "groups.hpp"

namespace answers {

namespace {

void ask_about_shapes() {
    struct Shape {
        const char* name;
        CUDA_ARRAY3D_DESCRIPTOR descriptor;
    };
    static const Shape shapes[] = {
        {"1D", {16, 0, 0, CU_AD_FORMAT_FLOAT, 1, 0}},
        {"2D", {16, 16, 0, CU_AD_FORMAT_UNSIGNED_INT8, 4, 0}},
        {"3D", {16, 16, 16, CU_AD_FORMAT_HALF, 2, 0}},
        {"without width", {0, 16, 0, CU_AD_FORMAT_FLOAT, 1, 0}},
        {"depth without height", {16, 0, 16, CU_AD_FORMAT_FLOAT, 1, 0}},
        {"3 channels", {16, 16, 0, CU_AD_FORMAT_FLOAT, 3, 0}},
        {"0 channels", {16, 16, 0, CU_AD_FORMAT_FLOAT, 0, 0}},
        {"format 0", {16, 16, 0, static_cast<CUarray_format>(0), 1, 0}},
        {"too wide", {std::size_t{1} << 40, 0, 0, CU_AD_FORMAT_FLOAT, 1, 0}},
        {"layered", {16, 16, 4, CU_AD_FORMAT_FLOAT, 1, CUDA_ARRAY3D_LAYERED}},
        {"layered 1D", {16, 0, 4, CU_AD_FORMAT_FLOAT, 1, CUDA_ARRAY3D_LAYERED}},
        {"layered without layers", {16, 16, 0, CU_AD_FORMAT_FLOAT, 1, CUDA_ARRAY3D_LAYERED}},
        {"cubemap", {16, 16, 6, CU_AD_FORMAT_FLOAT, 1, CUDA_ARRAY3D_CUBEMAP}},
        {"cubemap of 5 faces", {16, 16, 5, CU_AD_FORMAT_FLOAT, 1, CUDA_ARRAY3D_CUBEMAP}},
        {"cubemap that is not square", {16, 8, 6, CU_AD_FORMAT_FLOAT, 1, CUDA_ARRAY3D_CUBEMAP}},
        {"layered cubemap", {16, 16, 12, CU_AD_FORMAT_FLOAT, 1, CUDA_ARRAY3D_CUBEMAP | CUDA_ARRAY3D_LAYERED}},
        {"layered cubemap of 8", {16, 16, 8, CU_AD_FORMAT_FLOAT, 1, CUDA_ARRAY3D_CUBEMAP | CUDA_ARRAY3D_LAYERED}},
        {"surface", {16, 16, 0, CU_AD_FORMAT_FLOAT, 1, CUDA_ARRAY3D_SURFACE_LDST}},
        {"gather", {16, 16, 0, CU_AD_FORMAT_FLOAT, 1, CUDA_ARRAY3D_TEXTURE_GATHER}},
        {"gather 3D", {16, 16, 16, CU_AD_FORMAT_FLOAT, 1, CUDA_ARRAY3D_TEXTURE_GATHER}},
        {"sparse", {256, 256, 0, CU_AD_FORMAT_FLOAT, 1, CUDA_ARRAY3D_SPARSE}},
        {"unknown flag", {16, 16, 0, CU_AD_FORMAT_FLOAT, 1, 0x8000}},
    };
    for (const Shape& shape : shapes) {
        const auto array =
            ask((std::string("cuArray3DCreate ") + shape.name).c_str(), [&] { return cuArray3DCreate(&shape.descriptor); });
        if (!array.ok()) continue;
        ask((std::string("cuArray3DGetDescriptor ") + shape.name).c_str(), [&] { return cuArray3DGetDescriptor(array.value); });
        ask((std::string("cuArrayGetDescriptor ") + shape.name).c_str(), [&] { return cuArrayGetDescriptor(array.value); });
        ask((std::string("cuArrayGetMemoryRequirements ") + shape.name).c_str(),
            [&] { return cuArrayGetMemoryRequirements(array.value, 0); });
        ask((std::string("cuArrayGetSparseProperties ") + shape.name).c_str(),
            [&] { return cuArrayGetSparseProperties(array.value); });
        ask((std::string("cuArrayGetPlane ") + shape.name).c_str(), [&] { return cuArrayGetPlane(array.value, 0); });
        ask((std::string("cuArrayDestroy ") + shape.name).c_str(), [&] { return cuArrayDestroy(array.value); });
    }
}

void ask_about_array_copies() {
    const CUDA_ARRAY_DESCRIPTOR shape{64, 4, CU_AD_FORMAT_UNSIGNED_INT8, 1};
    const CUarray array = ASK(cuArrayCreate(&shape)).value;
    const CUDA_ARRAY_DESCRIPTOR line{64, 0, CU_AD_FORMAT_UNSIGNED_INT8, 1};
    const CUarray row = ASK(cuArrayCreate(&line)).value;
    const CUdeviceptr memory = cuMemAlloc(4096).value;
    char host[64] = {};
    ASK(cuMemcpyHtoA(row, 0, host, 64));
    ASK(cuMemcpyHtoA(row, 32, host, 64));
    ASK(cuMemcpyHtoA(row, 0, nullptr, 64));
    ASK(cuMemcpyAtoH(host, row, 0, 64));
    ASK(cuMemcpyAtoH(host, row, 1, 64));
    ASK(cuMemcpyAtoD(memory, row, 0, 64));
    ASK(cuMemcpyDtoA(row, 0, memory, 64));
    ASK(cuMemcpyDtoA(row, 0, bad_address, 64));
    ASK(cuMemcpyAtoA(row, 0, row, 32, 32));
    ASK(cuMemcpyHtoA(nullptr, 0, host, 64));
    ASK(cuMemcpyHtoAAsync(row, 0, host, 64, nullptr));
    ASK(cuMemcpyHtoA(array, 0, host, 64));
    ASK(cuMemcpyHtoA(array, 64, host, 64));
    CUDA_MEMCPY2D copy{};
    copy.srcMemoryType = CU_MEMORYTYPE_DEVICE;
    copy.srcDevice = memory;
    copy.srcPitch = 64;
    copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
    copy.dstArray = array;
    copy.WidthInBytes = 64;
    copy.Height = 4;
    ASK(cuMemcpy2D(&copy));
    copy.Height = 5;
    ASK(cuMemcpy2D(&copy));
    copy.Height = 4;
    copy.WidthInBytes = 65;
    ASK(cuMemcpy2D(&copy));
    ASK(cuArrayDestroy(row));
    ASK(cuArrayDestroy(array));
}

void ask_about_mipmaps() {
    const CUDA_ARRAY3D_DESCRIPTOR shape{64, 64, 0, CU_AD_FORMAT_FLOAT, 1, 0};
    ASK(cuMipmappedArrayCreate(&shape, 0));
    ASK(cuMipmappedArrayCreate(nullptr, 1));
    const CUmipmappedArray deep = ASK(cuMipmappedArrayCreate(&shape, 99)).value;
    ASK(cuMipmappedArrayGetLevel(deep, 6));
    ASK(cuMipmappedArrayGetLevel(deep, 7));
    const CUmipmappedArray mipmap = ASK(cuMipmappedArrayCreate(&shape, 3)).value;
    const CUarray level = ASK(cuMipmappedArrayGetLevel(mipmap, 2)).value;
    ASK(cuArray3DGetDescriptor(level));
    ASK(cuArrayDestroy(level));
    ASK(cuMipmappedArrayGetLevel(mipmap, 3));
    ASK(cuMipmappedArrayGetLevel(nullptr, 0));
    ASK(cuMipmappedArrayGetMemoryRequirements(mipmap, 0));
    ASK(cuMipmappedArrayGetMemoryRequirements(mipmap, 99));
    ASK(cuMipmappedArrayGetSparseProperties(mipmap));
    ASK(cuMipmappedArrayDestroy(mipmap));
    ASK(cuMipmappedArrayDestroy(nullptr));
}

}  // namespace

void ask_about_arrays() {
    use_device();
    ASK(cuArrayCreate(nullptr));
    ASK(cuArray3DCreate(nullptr));
    ASK(cuArrayDestroy(nullptr));
    ASK(cuArrayGetDescriptor(nullptr));
    ASK(cuArrayGetMemoryRequirements(nullptr, 0));
    for (int i = 0; i <= 0x40; ++i) {
        const CUDA_ARRAY_DESCRIPTOR shape{16, 16, static_cast<CUarray_format>(i), 1};
        ask(("cuArrayCreate of format " + std::to_string(i)).c_str(), [&] { return cuArrayCreate(&shape); });
    }
    ask_about_shapes();
    ask_about_array_copies();
    ask_about_mipmaps();
}

}  // namespace answers
