// smoother.cpp
#include "smoother.hpp"

#include <cubind/nvtx.hpp>

namespace {

constexpr char source[] = R"(
    extern "C" __global__ void smooth(const float* in, float* out, size_t count, size_t radius) {
        const size_t i = size_t{blockIdx.x} * blockDim.x + threadIdx.x;
        if (i >= count) return;
        const size_t first = i < radius ? 0 : i - radius;
        const size_t last = radius < count - i ? i + radius : count - 1;
        float sum = 0;
        for (size_t j = first; j <= last; ++j) sum += in[j];
        out[i] = sum / (last - first + 1);
    }
)";

}  // namespace

Smoother::Smoother(const cubind::Device& device)
    : device_(device), stream_(device), kernel_(cubind::Program(source).compile(cubind::CodeType::ptx).kernel("smooth")) {}

std::vector<float> Smoother::smooth(std::span<const float> signal, std::size_t radius) {
    const cubind::NvtxRange range("smooth", {.payload = static_cast<double>(signal.size())});
    const std::size_t count = signal.size();
    std::vector<float> smoothed(count);
    if (count == 0) return smoothed;
    if (out_.is_closed() || out_.count() < count) {  // out_ is allocated last, so in_ is as large
        in_ = device_.allocate<float>(stream_, count);
        out_ = device_.allocate<float>(stream_, count);
    }
    copy(stream_, in_, signal);
    launch(stream_, {.grid = cubind::blocks_for(count, 256), .block = 256}, kernel_, in_, out_, count, radius);
    copy(stream_, smoothed, out_.first(count));
    stream_.synchronize();
    return smoothed;
}
