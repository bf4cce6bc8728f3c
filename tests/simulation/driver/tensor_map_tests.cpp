// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// The functions that encode tensor maps, compared with the answers of a GPU.

#include <cstring>
#include <fstream>
#include <sstream>
#include <string>

#include "objects/texture/tensor_map.hpp"
#include "sim_test.hpp"

namespace cubind::testing {
namespace {

/// Reads the words of a line of tensor_maps.txt.
class Words {
public:
    explicit Words(const std::string& line) : line_(line) {}

    std::string next() {
        std::string word;
        line_ >> word;
        return word;
    }
    template <class Value = std::uint32_t>
    Value number() {
        return static_cast<Value>(std::stoull(next()));
    }
    void* address() { return reinterpret_cast<void*>(std::stoull(next(), nullptr, 16)); }
    /// Returns the numbers of a list. Zeros follow, so that functions may read more.
    template <class Number>
    std::vector<Number> list() {
        std::vector<Number> numbers;
        std::istringstream words(next());
        for (std::string word; std::getline(words, word, ',') && word != "-";) {
            numbers.push_back(static_cast<Number>(std::stoll(word)));
        }
        numbers_ = numbers.size();
        numbers.resize(8);
        return numbers;
    }
    /// Returns the numbers of the last list.
    std::size_t numbers() const { return numbers_; }

private:
    std::istringstream line_;
    std::size_t numbers_ = 0;
};

std::string text_of(const CUtensorMap& map) {
    unsigned char bytes[sizeof map];
    std::memcpy(bytes, &map, sizeof map);
    std::size_t count = sizeof map;
    while (count > 0 && bytes[count - 1] == 0) --count;
    std::string text;
    for (std::size_t i = 0; i < count; ++i) {
        text += "0123456789abcdef"[bytes[i] >> 4];
        text += "0123456789abcdef"[bytes[i] & 15];
    }
    return text;
}

CUtensorMap map_of(const std::string& text) {
    unsigned char bytes[sizeof(CUtensorMap)] = {};
    for (std::size_t i = 0; 2 * i < text.size(); ++i) {
        bytes[i] = static_cast<unsigned char>(std::stoul(text.substr(2 * i, 2), nullptr, 16));
    }
    CUtensorMap map;
    std::memcpy(&map, bytes, sizeof map);
    return map;
}

/// Makes the call of a line. Returns a text of the status and the map, as at the beginning and the end of the line.
std::string answer(const std::string& line) {
    Words words(line);
    const std::string function = words.next();
    words.next();
    if (function == "replace") {
        void* const address = words.address();
        const auto [status, map] = cuTensorMapReplaceAddress(map_of(words.next()), address);
        return std::to_string(status) + ' ' + text_of(map);
    }
    const auto type = words.number<CUtensorMapDataType>();
    const auto interleave = words.number<CUtensorMapInterleave>();
    const auto swizzle = words.number<CUtensorMapSwizzle>();
    const auto promotion = words.number<CUtensorMapL2promotion>();
    const auto fill = words.number<CUtensorMapFloatOOBfill>();
    void* const address = words.address();
    const auto shape = words.list<cuuint64_t>();
    const auto rank = static_cast<cuuint32_t>(words.numbers());
    const auto strides = words.list<cuuint64_t>();
    const auto steps = words.list<cuuint32_t>();
    const auto encoded = [&] {
        if (function == "tiled") {
            const auto box = words.list<cuuint32_t>();
            return cuTensorMapEncodeTiled(type, rank, address, shape.data(), strides.data(), box.data(), steps.data(), interleave,
                                          swizzle, promotion, fill);
        }
        const auto lower = words.list<int>();
        const auto upper = words.list<int>();
        const auto channels = words.number();
        const auto pixels = words.number();
        if (function == "im2col") {
            return cuTensorMapEncodeIm2col(type, rank, address, shape.data(), strides.data(), lower.data(), upper.data(),
                                           channels, pixels, steps.data(), interleave, swizzle, promotion, fill);
        }
        const auto mode = words.number<CUtensorMapIm2ColWideMode>();
        return cuTensorMapEncodeIm2colWide(type, rank, address, shape.data(), strides.data(), lower[0], upper[0], channels,
                                           pixels, steps.data(), interleave, mode, swizzle, promotion, fill);
    }();
    return std::to_string(encoded.status) + ' ' + (encoded.ok() ? text_of(encoded.value) : "-");
}

class SimTensorMapTest : public SimTest {
protected:
    /// The arguments of all modes: bytes of 64 channels, 32 x 16 pixels, and 8 images.
    struct Arguments {
        CUtensorMapDataType type = CU_TENSOR_MAP_DATA_TYPE_UINT8;
        cuuint32_t rank = 4;
        void* address = reinterpret_cast<void*>(4096);
        const cuuint64_t* shape = extents;
        const cuuint64_t* strides = bytes;
        const cuuint32_t* steps = ones;
        const cuuint32_t* box = tile;
        const int* lower = corner;
        const int* upper = corner;
        cuuint32_t channels = 64;
        cuuint32_t pixels = 8;
        CUtensorMapInterleave interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
        CUtensorMapSwizzle swizzle = CU_TENSOR_MAP_SWIZZLE_NONE;
        CUtensorMapL2promotion promotion = CU_TENSOR_MAP_L2_PROMOTION_NONE;
        CUtensorMapFloatOOBfill fill = CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE;
        CUtensorMapIm2ColWideMode mode = CU_TENSOR_MAP_IM2COL_WIDE_MODE_W;
    };
    static constexpr cuuint64_t extents[] = {64, 32, 16, 8};
    static constexpr cuuint64_t bytes[] = {64, 2048, 32768};
    static constexpr cuuint32_t ones[] = {1, 1, 1, 1};
    static constexpr cuuint32_t tile[] = {64, 2, 2, 1};
    static constexpr int corner[] = {0, 0};

    static auto tiled(const Arguments& a) {
        return cuTensorMapEncodeTiled(a.type, a.rank, a.address, a.shape, a.strides, a.box, a.steps, a.interleave, a.swizzle,
                                      a.promotion, a.fill);
    }
    static auto im2col(const Arguments& a) {
        return cuTensorMapEncodeIm2col(a.type, a.rank, a.address, a.shape, a.strides, a.lower, a.upper, a.channels, a.pixels,
                                       a.steps, a.interleave, a.swizzle, a.promotion, a.fill);
    }
    static auto wide(const Arguments& a) {
        return cuTensorMapEncodeIm2colWide(a.type, a.rank, a.address, a.shape, a.strides, 0, 0, a.channels, a.pixels, a.steps,
                                           a.interleave, a.mode, a.swizzle, a.promotion, a.fill);
    }
    /// Checks the status of a call of each mode.
    static void expect(CUresult status, const Arguments& arguments) {
        EXPECT_EQ(tiled(arguments).status, status);
        EXPECT_EQ(im2col(arguments).status, status);
        EXPECT_EQ(wide(arguments).status, status);
    }
    /// Installs a device of this compute capability with a context.
    static void use_device(int major) {
        cubind::sim::install({.major = major});
        ASSERT_TRUE(cuInit(0).ok());
        ASSERT_TRUE(cuCtxCreate_v2(0, 0).ok());
    }
};

TEST_F(SimTensorMapTest, AnswersLikeAGpu) {
    std::ifstream file(CUBIND_TENSOR_MAPS);
    int lines = 0;
    for (std::string line; std::getline(file, line);) {
        if (line.starts_with('#')) continue;
        ++lines;
        const std::size_t after_function = line.find(' ') + 1;
        const std::string recorded =
            line.substr(after_function, line.find(' ', after_function) - after_function) + line.substr(line.rfind(' '));
        EXPECT_EQ(answer(line), recorded) << line;
    }
    EXPECT_GT(lines, 500);
}

TEST_F(SimTensorMapTest, RequiresAContext) {
    expect(CUDA_SUCCESS, {});
    const CUtensorMap map = tiled({}).value;
    ASSERT_TRUE(cuCtxSetCurrent(nullptr).ok());
    expect(CUDA_ERROR_INVALID_CONTEXT, {});
    EXPECT_EQ(cuTensorMapReplaceAddress(map, nullptr).status, CUDA_ERROR_INVALID_CONTEXT);
}

TEST_F(SimTensorMapTest, RejectsNullPointers) {
    expect(CUDA_ERROR_INVALID_VALUE, {.shape = nullptr});
    expect(CUDA_ERROR_INVALID_VALUE, {.strides = nullptr});
    expect(CUDA_ERROR_INVALID_VALUE, {.steps = nullptr});
    EXPECT_EQ(tiled({.box = nullptr}).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(im2col({.lower = nullptr}).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(im2col({.upper = nullptr}).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(tiled({.rank = 1, .strides = nullptr}).status, CUDA_SUCCESS) << "a vector has no strides";
    const cubind::sim::TensorDescription tensor{CU_TENSOR_MAP_DATA_TYPE_UINT8,
                                                4,
                                                reinterpret_cast<void*>(4096),
                                                extents,
                                                bytes,
                                                ones,
                                                CU_TENSOR_MAP_INTERLEAVE_NONE,
                                                CU_TENSOR_MAP_SWIZZLE_NONE,
                                                CU_TENSOR_MAP_L2_PROMOTION_NONE,
                                                CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE};
    const cubind::sim::TensorMapDevice device{9, 232448};
    EXPECT_EQ(cubind::sim::encode_tiled(nullptr, tensor, tile, device), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cubind::sim::encode_im2col(nullptr, tensor, corner, corner, {64, 8}, device), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cubind::sim::encode_im2col_wide(nullptr, tensor, 0, 0, {64, 8}, {}, device), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cubind::sim::replace_address(nullptr, nullptr, device), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(SimTensorMapTest, RejectsUnknownEnumerators) {
    expect(CUDA_ERROR_INVALID_VALUE, {.type = static_cast<CUtensorMapDataType>(16)});
    expect(CUDA_ERROR_INVALID_VALUE, {.interleave = static_cast<CUtensorMapInterleave>(3)});
    expect(CUDA_ERROR_INVALID_VALUE, {.swizzle = static_cast<CUtensorMapSwizzle>(7)});
    expect(CUDA_ERROR_INVALID_VALUE, {.promotion = static_cast<CUtensorMapL2promotion>(4)});
    expect(CUDA_ERROR_INVALID_VALUE, {.fill = static_cast<CUtensorMapFloatOOBfill>(2)});
    EXPECT_EQ(wide({.mode = static_cast<CUtensorMapIm2ColWideMode>(2)}).status, CUDA_ERROR_INVALID_VALUE);
}

TEST_F(SimTensorMapTest, LimitsTheTileByTheSharedMemoryOfAMultiprocessor) {
    const cuuint32_t fits[] = {64, 228, 16, 1};
    const cuuint32_t exceeds[] = {64, 229, 16, 1};
    EXPECT_EQ(tiled({.box = fits}).status, CUDA_SUCCESS);
    EXPECT_EQ(tiled({.box = exceeds}).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(im2col({.channels = 240, .pixels = 972}).status, CUDA_SUCCESS);
    EXPECT_EQ(im2col({.channels = 240, .pixels = 973}).status, CUDA_ERROR_INVALID_VALUE);
}

TEST_F(SimTensorMapTest, DependsOnTheComputeCapability) {
    const Arguments packed{.type = CU_TENSOR_MAP_DATA_TYPE_16U4_ALIGN8B};
    const Arguments swizzled{.swizzle = CU_TENSOR_MAP_SWIZZLE_128B_ATOM_32B};
    const CUtensorMap map = tiled({}).value;
    expect(CUDA_ERROR_INVALID_VALUE, packed);
    expect(CUDA_ERROR_INVALID_VALUE, swizzled);
    use_device(8);
    expect(CUDA_ERROR_INVALID_VALUE, {});
    EXPECT_EQ(cuTensorMapReplaceAddress(map, nullptr).status, CUDA_ERROR_INVALID_VALUE);
    use_device(10);
    EXPECT_EQ(tiled({}).status, CUDA_SUCCESS);
    EXPECT_EQ(im2col({}).status, CUDA_SUCCESS);
    EXPECT_EQ(wide({}).status, CUDA_ERROR_NOT_SUPPORTED) << "not simulated";
    expect(CUDA_ERROR_NOT_SUPPORTED, packed);
    expect(CUDA_ERROR_NOT_SUPPORTED, swizzled);
    EXPECT_EQ(cuTensorMapReplaceAddress(map, nullptr).status, CUDA_SUCCESS);
}

}  // namespace
}  // namespace cubind::testing
