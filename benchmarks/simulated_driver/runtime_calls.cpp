// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

/// Times calls of the simulated runtime library beside the calls of the simulated driver that they make.
/// benchmarks/simulated_driver_cost runs this program with both libraries and compares the times; alternate.hpp has its options.

#include <cubind/driver.hpp>
#include <cubind/runtime.hpp>

#include <cstdlib>

#include "../alternate.hpp"

namespace {

using namespace cubind::driver;
using namespace cubind::runtime;

constexpr int batch = 20'000;

template <class Status>
void require(Status status) {
    if (status != Status{}) std::abort();
}

}  // namespace

int main(int argc, char** argv) {
    Alternation calls(argc, argv);
    require(cudaFree(nullptr).status);  // creates the context of both
    const cudaStream_t stream = cudaStreamCreateWithFlags(cudaStreamNonBlocking).value;
    const cudaEvent_t event = cudaEventCreateWithFlags(cudaEventDisableTiming).value;
    require(cudaEventRecord(event, stream).status);

    calls.add("stream query", "runtime", batch, [=] { require(cudaStreamQuery(stream).status); });
    calls.add("stream query", "driver", batch, [=] { require(cuStreamQuery(stream).status); });

    calls.add("event query", "runtime", batch, [=] { require(cudaEventQuery(event).status); });
    calls.add("event query", "driver", batch, [=] { require(cuEventQuery(event).status); });

    calls.add("event record", "runtime", batch, [=] { require(cudaEventRecord(event, stream).status); });
    calls.add("event record", "driver", batch, [=] { require(cuEventRecord(event, stream).status); });

    void* const memory = cudaMalloc(4096).value;
    int value = 0;
    calls.add("copy of 4 B to the host", "runtime", batch,
              [=, &value] { require(cudaMemcpy(&value, memory, sizeof value, cudaMemcpyDeviceToHost).status); });
    calls.add("copy of 4 B to the host", "driver", batch,
              [=, &value] { require(cuMemcpyDtoH(&value, reinterpret_cast<CUdeviceptr>(memory), sizeof value).status); });

    // A pair is two calls.
    calls.add("allocate and free 4 KiB", "runtime", batch, [] { require(cudaFree(cudaMalloc(4096).value).status); });
    calls.add("allocate and free 4 KiB", "driver", batch, [] { require(cuMemFree(cuMemAlloc(4096).value).status); });
    return calls.run();
}
