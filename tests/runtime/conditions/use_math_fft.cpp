// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core.hpp>
#include <cubind/math/fft.hpp>

#include <complex>

#include "cufft_stand_in.hpp"
#include "end_of_work.hpp"
#include "use.hpp"

namespace cubind::testing {

void use_math_fft(const std::string&) {
    const ScopedCufftStandIn stand_in;
    {
        const EndOfWork end;
        const Device device;
        const Stream stream(device), other(device);
        const auto signal = device.allocate<std::complex<float>>(stream, 64);
        cufft_stand_in().workspace_size = 512;
        math::Fft transform(stream, signal, signal);
        transform(stream, signal, signal);
        transform(other, signal, signal, math::FftDirection::inverse);
        other.synchronize();
        stream.synchronize();
    }
    require(cufft_stand_in().handles == 0, "all plans are destroyed");
}

}  // namespace cubind::testing
