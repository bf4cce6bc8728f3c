// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "resources/groups.hpp"

namespace answers {

namespace {

// Arguments of a call. No pointer is null, because the driver reads some null pointers.
struct Arguments {
    CUtensorMapDataType type = CU_TENSOR_MAP_DATA_TYPE_UINT8;
    unsigned rank = 4;
    void* address = reinterpret_cast<void*>(0x302000000ull);
    cuuint64_t shape[8] = {64, 32, 16, 8, 1, 1, 1, 1};
    cuuint64_t strides[8] = {64, 2048, 32768, 262144, 262144, 262144, 262144, 262144};
    cuuint32_t box[8] = {64, 4, 4, 1, 1, 1, 1, 1};
    cuuint32_t steps[8] = {1, 1, 1, 1, 1, 1, 1, 1};
    int lower[8] = {};
    int upper[8] = {};
    unsigned channels = 64;
    unsigned pixels = 16;
    CUtensorMapInterleave interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
    CUtensorMapSwizzle swizzle = CU_TENSOR_MAP_SWIZZLE_NONE;
    CUtensorMapL2promotion promotion = CU_TENSOR_MAP_L2_PROMOTION_NONE;
    CUtensorMapFloatOOBfill fill = CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE;
    CUtensorMapIm2ColWideMode mode = CU_TENSOR_MAP_IM2COL_WIDE_MODE_W;
};

cubind::Result<CUresult, CUtensorMap> encode_tiled(const Arguments& a) {
    return cuTensorMapEncodeTiled(a.type, a.rank, a.address, a.shape, a.strides, a.box, a.steps, a.interleave, a.swizzle,
                                  a.promotion, a.fill);
}

cubind::Result<CUresult, CUtensorMap> encode_im2col(const Arguments& a) {
    return cuTensorMapEncodeIm2col(a.type, a.rank, a.address, a.shape, a.strides, a.lower, a.upper, a.channels, a.pixels, a.steps,
                                   a.interleave, a.swizzle, a.promotion, a.fill);
}

cubind::Result<CUresult, CUtensorMap> encode_wide(const Arguments& a) {
    return cuTensorMapEncodeIm2colWide(a.type, a.rank, a.address, a.shape, a.strides, a.lower[0], a.upper[0], a.channels,
                                       a.pixels, a.steps, a.interleave, a.mode, a.swizzle, a.promotion, a.fill);
}

// Numbers beside and beyond the enumerators of all enums.
constexpr unsigned numbers[] = {0,  1,  2,  3,  4,  5,  6,  7,   8,   9,          10,         11,        12,
                                13, 14, 15, 16, 17, 31, 32, 255, 256, 0x7fffffff, 0x80000000, 0xffffffff};

void ask_about_enumerators(const std::string& function, cubind::Result<CUresult, CUtensorMap> (*encode)(const Arguments&)) {
    const auto ask_with = [&](const std::string& name, const Arguments& arguments) {
        ask((function + ' ' + name).c_str(), [&] { return encode(arguments); });
    };
    ask_with("without a change", {});
    for (const unsigned number : numbers) {
        const std::string text = ' ' + std::to_string(number);
        Arguments arguments;
        arguments.type = static_cast<CUtensorMapDataType>(number);
        ask_with("type" + text, arguments);
        arguments.promotion = static_cast<CUtensorMapL2promotion>(number);
        ask_with("type and promotion" + text, arguments);
        arguments = {};
        arguments.interleave = static_cast<CUtensorMapInterleave>(number);
        ask_with("interleave" + text, arguments);
        arguments.swizzle = CU_TENSOR_MAP_SWIZZLE_32B;
        ask_with("interleave with swizzle" + text, arguments);
        arguments = {};
        arguments.swizzle = static_cast<CUtensorMapSwizzle>(number);
        ask_with("swizzle" + text, arguments);
        arguments = {};
        arguments.promotion = static_cast<CUtensorMapL2promotion>(number);
        ask_with("promotion" + text, arguments);
        arguments = {};
        arguments.fill = static_cast<CUtensorMapFloatOOBfill>(number);
        ask_with("fill of bytes" + text, arguments);
        arguments.type = CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
        arguments.strides[0] = 128;
        ask_with("fill of numbers" + text, arguments);
        arguments = {};
        arguments.mode = static_cast<CUtensorMapIm2ColWideMode>(number);
        ask_with("mode" + text, arguments);
    }
    for (const unsigned rank : {0u, 1u, 2u, 3u, 4u, 5u, 6u}) {
        Arguments arguments;
        arguments.rank = rank;
        ask_with("rank " + std::to_string(rank), arguments);
        arguments.interleave = CU_TENSOR_MAP_INTERLEAVE_16B;
        ask_with("rank with interleave " + std::to_string(rank), arguments);
    }
}

}  // namespace

void ask_about_tiled_maps() {
    use_device();
    ask_about_enumerators("tiled", encode_tiled);
    const CUtensorMap map = encode_tiled({}).value;
    for (const unsigned long long address :
         {0x302000000ull, 0x302000008ull, 0x302000010ull, 0x302000001ull, 1ull << 57, 1ull << 63}) {
        ask(("address " + std::to_string(address)).c_str(),
            [&] { return cuTensorMapReplaceAddress(map, reinterpret_cast<void*>(address)); });
    }
    ASK(cuTensorMapReplaceAddress(CUtensorMap{}, reinterpret_cast<void*>(0x302000000ull)));
    ASK(cuCtxSetCurrent(nullptr));
    ASK(encode_tiled({}));
    ASK(cuTensorMapReplaceAddress(map, reinterpret_cast<void*>(0x302000000ull)));
}

void ask_about_im2col_maps() {
    use_device();
    ask_about_enumerators("im2col", encode_im2col);
    ask_about_enumerators("wide", encode_wide);
    ASK(cuCtxSetCurrent(nullptr));
    ASK(encode_im2col({}));
    ASK(encode_wide({}));
}

}  // namespace answers
