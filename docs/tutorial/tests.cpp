// tests.cpp
#include <cubind/layers.hpp>
#include <cubind/sim/gtest.hpp>

#include "smoother.hpp"

namespace layers = cubind::layers;

class SmootherTest : public cubind::sim::DriverTest {
protected:
    Smoother smoother;
    const std::vector<float> peak{0, 0, 0, 6, 0, 0, 0};
};

TEST_F(SmootherTest, ReturnsTheMeanOfTheNeighbours) {
    EXPECT_EQ(smoother.smooth(peak, 1), (std::vector<float>{0, 0, 2, 2, 2, 0, 0}));
}

TEST_F(SmootherTest, TakesFewerNeighboursAtTheEnds) {
    EXPECT_EQ(smoother.smooth(std::vector<float>{8, 0, 4}, 1), (std::vector<float>{4, 4, 2}));
    EXPECT_EQ(smoother.smooth(std::vector<float>{8, 0, 4}, 100), (std::vector<float>{4, 4, 4}));
}

TEST_F(SmootherTest, AcceptsAnEmptySignal) {
    EXPECT_EQ(smoother.smooth({}, 1), std::vector<float>());
}

TEST_F(SmootherTest, ThrowsIfTheMemoryOfTheDeviceIsExhausted) {
    layers::faults::start();
    layers::faults::fail("cuMemAllocFromPoolAsync", cubind::driver::CUDA_ERROR_OUT_OF_MEMORY, 2);
    EXPECT_THROW(smoother.smooth(peak, 1), cubind::OutOfMemory);
    layers::faults::stop();
    EXPECT_EQ(smoother.smooth(peak, 0), peak);
}

TEST_F(SmootherTest, LeaksNothingWhicheverCallFails) {
    const auto work = [&] { Smoother().smooth(peak, 1); };
    work();  // creates what exists once per process
    layers::leaks::start();
    const auto before = layers::leaks::checkpoint();
    const auto check = [&](const layers::faults::Fault& fault) {
        cubind::Device().synchronize();
        EXPECT_EQ(layers::leaks::report(before), "") << fault.function;
    };
    EXPECT_GT(layers::faults::fail_each_call(work, {.after = check}), 10u);
    layers::leaks::stop();
}
