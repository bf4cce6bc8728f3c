// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Counters of hardware. The stand-in measures nothing: metric number i has the value i + 0.5. It refuses calls in a wrong order.
#include <string_view>
#include <utility>

#include "stand_in_state.hpp"

namespace cubind::testing::cupti_stand_in {

using namespace cupti;

namespace {

constexpr std::size_t image_size = 24;
constexpr int passes_of_a_range = 3;

struct Counters {
    bool is_enabled = false;
    bool is_started = false;
    bool has_range = false;
    int passes = 0;
};
Counters counters;  // the calls of one thread

int host_object, range_object;

// Writes the size for a null image, and fills the image otherwise.
CUptiResult write_image(std::size_t& size, std::uint8_t* image) {
    if (image == nullptr) {
        size = image_size;
        return CUPTI_SUCCESS;
    }
    if (size < image_size) return CUPTI_ERROR_PARAMETER_SIZE_NOT_SUFFICIENT;
    for (std::size_t i = 0; i < image_size; ++i) image[i] = static_cast<std::uint8_t>(i);
    return CUPTI_SUCCESS;
}

bool is_image(const std::uint8_t* image, std::size_t size) {
    return image != nullptr && size == image_size && image[image_size - 1] == image_size - 1;
}

// The calls of a range.
CUptiResult step(const char* function, const void* object, bool is_right, auto change) {
    if (const CUptiResult status = begin_call(function)) return status;
    if (object != &range_object || !counters.is_enabled || !is_right) return CUPTI_ERROR_INVALID_OPERATION;
    change();
    return CUPTI_SUCCESS;
}

}  // namespace

extern "C" {

#define CUBIND_STAND_IN_COUNTER(function, Parameters) [[gnu::visibility("default")]] CUptiResult function(Parameters* parameters)

CUBIND_STAND_IN_COUNTER(cuptiProfilerInitialize, CUpti_Profiler_Initialize_Params) {
    if (const CUptiResult status = begin_call(__func__)) return status;
    return parameters != nullptr ? CUPTI_SUCCESS : CUPTI_ERROR_INVALID_PARAMETER;
}

CUBIND_STAND_IN_COUNTER(cuptiProfilerDeInitialize, CUpti_Profiler_DeInitialize_Params) {
    if (const CUptiResult status = begin_call(__func__)) return status;
    return parameters != nullptr ? CUPTI_SUCCESS : CUPTI_ERROR_INVALID_PARAMETER;
}

CUBIND_STAND_IN_COUNTER(cuptiProfilerGetCounterAvailability, CUpti_Profiler_GetCounterAvailability_Params) {
    if (const CUptiResult status = begin_call(__func__)) return status;
    if (options().lacks_privileges) return CUPTI_ERROR_INSUFFICIENT_PRIVILEGES;
    if (!options().has_counters) return CUPTI_ERROR_NOT_SUPPORTED;
    return write_image(parameters->counterAvailabilityImageSize, parameters->pCounterAvailabilityImage);
}

CUBIND_STAND_IN_COUNTER(cuptiDeviceGetChipName, CUpti_Device_GetChipName_Params) {
    if (const CUptiResult status = begin_call(__func__)) return status;
    parameters->pChipName = "STAND-IN";
    return CUPTI_SUCCESS;
}

CUBIND_STAND_IN_COUNTER(cuptiProfilerHostInitialize, CUpti_Profiler_Host_Initialize_Params) {
    if (const CUptiResult status = begin_call(__func__)) return status;
    if (std::string_view(parameters->pChipName) != "STAND-IN") return CUPTI_ERROR_INVALID_CHIP_NAME;
    if (!is_image(parameters->pCounterAvailabilityImage, image_size)) return CUPTI_ERROR_INVALID_PARAMETER;
    parameters->pHostObject = reinterpret_cast<::CUpti_Profiler_Host_Object*>(&host_object);
    return CUPTI_SUCCESS;
}

CUBIND_STAND_IN_COUNTER(cuptiProfilerHostDeinitialize, CUpti_Profiler_Host_Deinitialize_Params) {
    if (const CUptiResult status = begin_call(__func__)) return status;
    return static_cast<void*>(parameters->pHostObject) == &host_object ? CUPTI_SUCCESS : CUPTI_ERROR_INVALID_PARAMETER;
}

CUBIND_STAND_IN_COUNTER(cuptiProfilerHostConfigAddMetrics, CUpti_Profiler_Host_ConfigAddMetrics_Params) {
    if (const CUptiResult status = begin_call(__func__)) return status;
    for (std::size_t i = 0; i < parameters->numMetrics; ++i) {
        if (std::string_view(parameters->ppMetricNames[i]).starts_with("no_such")) return CUPTI_ERROR_INVALID_METRIC_NAME;
    }
    return CUPTI_SUCCESS;
}

CUBIND_STAND_IN_COUNTER(cuptiProfilerHostGetConfigImageSize, CUpti_Profiler_Host_GetConfigImageSize_Params) {
    if (const CUptiResult status = begin_call(__func__)) return status;
    return write_image(parameters->configImageSize, nullptr);
}

CUBIND_STAND_IN_COUNTER(cuptiProfilerHostGetConfigImage, CUpti_Profiler_Host_GetConfigImage_Params) {
    if (const CUptiResult status = begin_call(__func__)) return status;
    return write_image(parameters->configImageSize, parameters->pConfigImage);
}

CUBIND_STAND_IN_COUNTER(cuptiRangeProfilerEnable, CUpti_RangeProfiler_Enable_Params) {
    if (const CUptiResult status = begin_call(__func__)) return status;
    if (options().lacks_privileges) return CUPTI_ERROR_INSUFFICIENT_PRIVILEGES;
    if (!options().has_counters) return CUPTI_ERROR_NOT_SUPPORTED;
    if (counters.is_enabled) return CUPTI_ERROR_HARDWARE_BUSY;
    counters = {.is_enabled = true};
    parameters->pRangeProfilerObject = reinterpret_cast<::CUpti_RangeProfiler_Object*>(&range_object);
    return CUPTI_SUCCESS;
}

CUBIND_STAND_IN_COUNTER(cuptiRangeProfilerDisable, CUpti_RangeProfiler_Disable_Params) {
    const CUptiResult status = begin_call(__func__);
    counters.is_enabled = false;  // also if the test lets the call fail, so that it can go on
    if (status != CUPTI_SUCCESS) return status;
    return static_cast<void*>(parameters->pRangeProfilerObject) == &range_object ? CUPTI_SUCCESS : CUPTI_ERROR_INVALID_PARAMETER;
}

CUBIND_STAND_IN_COUNTER(cuptiRangeProfilerGetCounterDataSize, CUpti_RangeProfiler_GetCounterDataSize_Params) {
    return step(__func__, parameters->pRangeProfilerObject, true, [&] { parameters->counterDataSize = image_size; });
}

CUBIND_STAND_IN_COUNTER(cuptiRangeProfilerCounterDataImageInitialize, CUpti_RangeProfiler_CounterDataImage_Initialize_Params) {
    return step(__func__, parameters->pRangeProfilerObject, parameters->counterDataSize == image_size,
                [&] { (void)write_image(parameters->counterDataSize, parameters->pCounterData); });
}

CUBIND_STAND_IN_COUNTER(cuptiRangeProfilerSetConfig, CUpti_RangeProfiler_SetConfig_Params) {
    const bool is_right = is_image(parameters->pConfig, parameters->configSize) &&
                          is_image(parameters->pCounterDataImage, parameters->counterDataImageSize) &&
                          parameters->range == CUPTI_UserRange && parameters->replayMode == CUPTI_UserReplay;
    return step(__func__, parameters->pRangeProfilerObject, is_right, [] {});
}

CUBIND_STAND_IN_COUNTER(cuptiRangeProfilerStart, CUpti_RangeProfiler_Start_Params) {
    return step(__func__, parameters->pRangeProfilerObject, !counters.is_started, [] { counters.is_started = true; });
}

CUBIND_STAND_IN_COUNTER(cuptiRangeProfilerPushRange, CUpti_RangeProfiler_PushRange_Params) {
    return step(__func__, parameters->pRangeProfilerObject, counters.is_started && !counters.has_range,
                [] { counters.has_range = true; });
}

CUBIND_STAND_IN_COUNTER(cuptiRangeProfilerPopRange, CUpti_RangeProfiler_PopRange_Params) {
    return step(__func__, parameters->pRangeProfilerObject, counters.has_range, [] { counters.has_range = false; });
}

CUBIND_STAND_IN_COUNTER(cuptiRangeProfilerStop, CUpti_RangeProfiler_Stop_Params) {
    return step(__func__, parameters->pRangeProfilerObject, counters.is_started && !counters.has_range, [&] {
        counters.is_started = false;
        parameters->isAllPassSubmitted = ++counters.passes == passes_of_a_range;
    });
}

CUBIND_STAND_IN_COUNTER(cuptiRangeProfilerDecodeData, CUpti_RangeProfiler_DecodeData_Params) {
    return step(__func__, parameters->pRangeProfilerObject, counters.passes == passes_of_a_range, [] {});
}

CUBIND_STAND_IN_COUNTER(cuptiProfilerHostEvaluateToGpuValues, CUpti_Profiler_Host_EvaluateToGpuValues_Params) {
    if (const CUptiResult status = begin_call(__func__)) return status;
    if (!is_image(parameters->pCounterDataImage, parameters->counterDataImageSize)) return CUPTI_ERROR_INVALID_PARAMETER;
    for (std::size_t i = 0; i < parameters->numMetrics; ++i) parameters->pMetricValues[i] = static_cast<double>(i) + 0.5;
    return CUPTI_SUCCESS;
}

}  // extern "C"

}  // namespace cubind::testing::cupti_stand_in
