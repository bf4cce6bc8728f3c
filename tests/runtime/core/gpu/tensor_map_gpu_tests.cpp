// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Compares the limits of TensorMap with those of a driver on a GPU.

#include <cubind/core.hpp>
#include <cubind/core/array/tensor_map.hpp>
#include <cubind/driver/initialize.hpp>
#include <cubind/driver/strings.hpp>
#include <cubind/driver/tensor_map.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>

namespace cubind::testing {
namespace {

// A call of cuTensorMapEncodeTiled.
struct TiledCase {
    TensorLayout layout;
    TensorExtents box;
};

std::string describe(const TiledCase& tested) {
    std::ostringstream text;
    const auto print = [&](const char* name, const TensorExtents& values) {
        text << name << " {";
        for (std::size_t i = 0; i < values.rank(); ++i) text << (i == 0 ? "" : ", ") << values[i];
        text << "} ";
    };
    text << driver::to_string(tested.layout.type) << ' ' << driver::to_string(tested.layout.interleave) << ' '
         << driver::to_string(tested.layout.swizzle) << ' ' << driver::to_string(tested.layout.oob_fill) << ' ';
    print("shape", tested.layout.shape);
    print("strides", tested.layout.strides);
    print("steps", tested.layout.element_strides);
    print("box", tested.box);
    return text.str();
}

bool is_packed(const TiledCase& tested) {
    return tested.layout.type >= driver::CU_TENSOR_MAP_DATA_TYPE_16U4_ALIGN8B;
}

// Returns the bytes of shared memory of a tile that is not packed.
std::uint64_t tile_bytes(const TiledCase& tested) {
    constexpr std::uint64_t element_bytes[] = {1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4};  // indexed by type
    std::uint64_t bytes = element_bytes[tested.layout.type];
    for (std::size_t i = 0; i < tested.box.rank(); ++i) bytes *= tested.box[i] / tested.layout.element_strides[i];
    return bytes;
}

driver::CUresult encode(const TiledCase& tested) {
    const TensorLayout& layout = tested.layout;
    driver::cuuint64_t shape[TensorExtents::max_rank] = {};
    driver::cuuint64_t strides[TensorExtents::max_rank] = {};
    driver::cuuint32_t box[TensorExtents::max_rank] = {};
    driver::cuuint32_t steps[TensorExtents::max_rank] = {};
    for (std::size_t i = 0; i < layout.shape.rank(); ++i) {
        shape[i] = layout.shape[i];
        box[i] = static_cast<driver::cuuint32_t>(tested.box[i]);
        steps[i] = static_cast<driver::cuuint32_t>(layout.element_strides[i]);
        if (i + 1 < layout.shape.rank()) strides[i] = layout.strides[i];
    }
    return driver::cuTensorMapEncodeTiled(layout.type, static_cast<driver::cuuint32_t>(layout.shape.rank()),
                                          reinterpret_cast<void*>(layout.address), shape, strides, box, steps, layout.interleave,
                                          layout.swizzle, layout.l2_promotion, layout.oob_fill)
        .status;
}

class TensorMapGpuTest : public ::testing::Test {
protected:
    void SetUp() override {
        if (const auto started = driver::cuInit(0); !started.ok()) {
            GTEST_SKIP() << "there is no usable GPU: cuInit returns " << driver::to_string(started.status);
        }
        device_.emplace(0);
        if (!device_->properties().tensor_map_access_supported()) GTEST_SKIP() << "the device does not support tensor maps";
        device_->set_current();
        memory_ = device_->allocate(device_->default_stream(), 1 << 20);
    }

    // Returns a case whose values are at and beside the limits. Most cases are valid.
    TiledCase random_case() {
        const auto pick = [&](auto... values) {
            const std::uint64_t list[] = {static_cast<std::uint64_t>(values)...};
            return list[random_() % (sizeof list / sizeof list[0])];
        };
        TiledCase tested;
        TensorLayout& layout = tested.layout;
        layout.address = memory_.native_handle() + (random_() % 16 == 0 ? pick(1, 8, 16) : 0);
        layout.type = static_cast<driver::CUtensorMapDataType>(random_() % 16);
        if (random_() % 4 == 0) layout.interleave = static_cast<driver::CUtensorMapInterleave>(random_() % 3);
        layout.swizzle = static_cast<driver::CUtensorMapSwizzle>(random_() % 4);
        if (random_() % 8 == 0) layout.oob_fill = driver::CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA;
        const std::size_t rank = 1 + random_() % TensorExtents::max_rank;
        for (std::size_t i = 0; i < rank; ++i) {
            layout.shape.push_back(random_() % 16 == 0 ? pick(1ull << 32, (1ull << 32) + 1, 1, 0) : pick(16, 64, 128, 256));
            layout.element_strides.push_back(random_() % 16 == 0 ? pick(0, 8, 9) : 1);
            tested.box.push_back(random_() % 16 == 0 ? pick(0, 1, 256, 257) : pick(4, 8, 16, 32, 64, 128));
            if (i + 1 < rank) {
                layout.strides.push_back(random_() % 16 == 0 ? pick(0, 8, 16, 24, (1ull << 40) - 32, 1ull << 40)
                                                             : pick(32, 2048, 65536));
            }
        }
        return tested;
    }

    std::mt19937_64 random_{1};
    std::optional<Device> device_;
    Buffer memory_;
};

TEST_F(TensorMapGpuTest, RejectsNoTiledMapThatTheDriverAccepts) {
    const auto properties = device_->properties();
    const auto shared_bytes = static_cast<std::uint64_t>(properties.max_shared_memory_per_multiprocessor());
    const bool has_packed_types = device_->compute_capability().major >= 10;
    // What TensorMap leaves to the driver, because the limit depends on the device.
    const auto may_be_refused = [&](const TiledCase& tested) {
        return is_packed(tested) ? !has_packed_types : tile_bytes(tested) > shared_bytes;
    };
    int accepted = 0;
    int rejected_here = 0;
    int rejected_by_the_driver = 0;
    for (int i = 0; i < 50'000; ++i) {
        const TiledCase tested = random_case();
        const driver::CUresult status = encode(tested);
        try {
            static_cast<void>(TensorMap::tiled(tested.layout, tested.box));
            EXPECT_EQ(status, driver::CUDA_SUCCESS) << describe(tested);
            ++accepted;
        } catch (const std::invalid_argument& refused) {
            EXPECT_NE(status, driver::CUDA_SUCCESS) << describe(tested) << refused.what();
            ++rejected_here;
        } catch (const Error& refused) {
            EXPECT_NE(status, driver::CUDA_SUCCESS) << describe(tested);
            EXPECT_TRUE(may_be_refused(tested)) << describe(tested) << refused.what();
            ++rejected_by_the_driver;
        }
        if (::testing::Test::HasFailure() && i > 2000) break;
    }
    EXPECT_GT(accepted, 1000);
    EXPECT_GT(rejected_here, 1000);
    EXPECT_GT(rejected_by_the_driver, 1000);
}

}  // namespace
}  // namespace cubind::testing
