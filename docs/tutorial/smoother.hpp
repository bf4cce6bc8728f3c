// smoother.hpp
#pragma once

#include <cubind/core.hpp>

#include <cstddef>
#include <span>
#include <vector>

/// Smooths signals on a GPU: each value becomes the mean of the values at most `radius` places away.
class Smoother {
public:
    /// Compiles the kernel. Throws cubind::Error if there is no driver or no compiler.
    explicit Smoother(const cubind::Device& device = cubind::Device());

    /// Returns the smoothed signal.
    std::vector<float> smooth(std::span<const float> signal, std::size_t radius);

private:
    cubind::Device device_;
    cubind::Stream stream_;
    cubind::Kernel kernel_;
    cubind::TypedBuffer<float> in_;  // kept from call to call, with out_
    cubind::TypedBuffer<float> out_;
};
