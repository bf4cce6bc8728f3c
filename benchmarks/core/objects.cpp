// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

/// Times events, streams, attributes of the device and kernel lookups through the high-level layer, through the wrappers, and
/// through a function pointer. benchmarks/core_cost runs this program and compares the times; alternate.hpp has its options.

#include <cubind/core/array/tensor_map.hpp>
#include <cubind/core/device/device.hpp>
#include <cubind/core/device/device_properties.hpp>
#include <cubind/core/launch/kernel.hpp>
#include <cubind/core/memory/typed_buffer.hpp>
#include <cubind/core/program/object_code.hpp>
#include <cubind/core/stream/event.hpp>
#include <cubind/core/stream/stream.hpp>
#include <cubind/driver.hpp>

#include <cstdlib>

#include "plain.hpp"

namespace {

using namespace cubind::driver;

constexpr const char* ptx = R"(
.version 7.0
.target sm_75
.address_size 64
.visible .entry none() { ret; }
)";

struct Setup {
    cubind::Device device{0};
    cubind::ContextRef before = device.set_current();  // as in most programs
    cubind::Stream stream{device};
    cubind::Event event{device};
    cubind::ObjectCode code = cubind::ObjectCode::from_bytes(cubind::CodeType::ptx, ptx);
};

Setup& setup() {
    static Setup& instance = *new Setup;
    return instance;
}

void add_events(Alternation& calls) {
    Setup& with = setup();
    const auto add_lives = [&](const char* way, auto one) { calls.add("event create and destroy", way, batch, one); };
    add_lives("plain", [create = plain<CUresult(CUevent*, unsigned int)>("cuEventCreate"),
                        destroy = plain<CUresult(CUevent)>("cuEventDestroy_v2")] {
        CUevent event = nullptr;
        expect(create(&event, CU_EVENT_DISABLE_TIMING));
        expect(destroy(event));
    });
    // A program that does not know the current context has to query it, because cuEventCreate has no parameter for it.
    add_lives("plain, with a query of the current context",
              [create = plain<CUresult(CUevent*, unsigned int)>("cuEventCreate"),
               destroy = plain<CUresult(CUevent)>("cuEventDestroy_v2"), query = plain<CUresult(CUcontext*)>("cuCtxGetCurrent"),
               expected = with.device.context().native_handle()] {
                  CUcontext current = nullptr;
                  expect(query(&current));
                  if (current != expected) std::abort();
                  CUevent event = nullptr;
                  expect(create(&event, CU_EVENT_DISABLE_TIMING));
                  expect(destroy(event));
              });
    add_lives("wrapper", [] {
        const auto created = cuEventCreate(CU_EVENT_DISABLE_TIMING);
        expect(created.status);
        expect(cuEventDestroy(created.value).status);
    });
    add_lives("Event", [&with] { use(cubind::Event(with.device)); });

    const auto add_records = [&](const char* way, auto one) { add_call(calls, "event record", way, with.stream, one); };
    add_records("plain", [record = plain<CUresult(CUevent, CUstream)>("cuEventRecord"), event = with.event.native_handle(),
                          stream = with.stream.native_handle()] { expect(record(event, stream)); });
    add_records("wrapper", [event = with.event.native_handle(), stream = with.stream.native_handle()] {
        expect(cuEventRecord(event, stream).status);
    });
    add_records("StreamRef", [&with] { with.stream.record(with.event); });
}

void add_queries(Alternation& calls) {
    Setup& with = setup();
    const auto add_streams = [&](const char* way, auto one) { calls.add("stream query", way, batch, one); };
    add_streams("plain", [query = plain<CUresult(CUstream)>("cuStreamQuery"), stream = with.stream.native_handle()] {
        use(query(stream));
    });
    add_streams("wrapper", [stream = with.stream.native_handle()] { use(cuStreamQuery(stream).status); });
    add_streams("StreamRef", [&with] { use(with.stream.is_done()); });

    constexpr CUdevice_attribute which = CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT;
    const auto add_attributes = [&](const char* way, auto one) { calls.add("device attribute", way, batch, one); };
    add_attributes("plain", [query = plain<CUresult(int*, CUdevice_attribute, CUdevice)>("cuDeviceGetAttribute"),
                             device = with.device.native_handle()] {
        int value = 0;
        expect(query(&value, which, device));
        use(value);
    });
    add_attributes("DeviceProperties", [properties = with.device.properties()] { use(properties.attribute(which)); });

    const auto add_devices = [&](const char* way, auto one) { calls.add("current device", way, batch, one); };
    add_devices("plain", [query = plain<CUresult(CUdevice*)>("cuCtxGetDevice")] {
        CUdevice device = 0;
        expect(query(&device));
        use(device);
    });
    add_devices("Device()", [] { use(cubind::Device()); });

    const auto add_kernels = [&](const char* way, auto one) { calls.add("kernel lookup", way, batch, one); };
    add_kernels("plain", [query = plain<CUresult(CUkernel*, CUlibrary, const char*)>("cuLibraryGetKernel"),
                          library = with.code.native_handle()] {
        CUkernel kernel = nullptr;
        expect(query(&kernel, library, "none"));
        use(kernel);
    });
    add_kernels("ObjectCode::kernel", [&with] { use(with.code.kernel("none")); });
}

void add_tensor_maps(Alternation& calls) {
    static const cubind::TypedBuffer<float> matrix = setup().device.allocate<float>(setup().stream, 256 * 64);
    const auto add = [&](const char* way, auto one) { calls.add("tensor map", way, batch, one); };
    using Encode =
        CUresult(CUtensorMap*, CUtensorMapDataType, cuuint32_t, void*, const cuuint64_t*, const cuuint64_t*, const cuuint32_t*,
                 const cuuint32_t*, CUtensorMapInterleave, CUtensorMapSwizzle, CUtensorMapL2promotion, CUtensorMapFloatOOBfill);
    add("plain", [encode = plain<Encode>("cuTensorMapEncodeTiled"), address = matrix.native_handle()] {
        const cuuint64_t shape[] = {256, 64}, strides[] = {256 * sizeof(float)};
        const cuuint32_t box[] = {32, 8}, element_strides[] = {1, 1};
        CUtensorMap map;
        expect(encode(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, reinterpret_cast<void*>(address), shape, strides, box,
                      element_strides, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE,
                      CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE));
        use(map);
    });
    add("TensorMap::tiled", [] {
        use(cubind::TensorMap::tiled(
            {.address = matrix.native_handle(), .type = cubind::tensor_data_type<float>, .shape = {256, 64}}, {32, 8}));
    });
}

void add(Alternation& calls) {
    add_events(calls);
    add_queries(calls);
    add_tensor_maps(calls);
}

}  // namespace

int main(int argc, char** argv) {
    return run_benchmarks(argc, argv, add);
}
