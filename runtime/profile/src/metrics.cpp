// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/device/device.hpp>
#include <cubind/cupti/profiler.hpp>
#include <cubind/cupti/profiler_host.hpp>
#include <cubind/cupti/range_profiler.hpp>
#include <cubind/profile/metrics.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "checked.hpp"
#include "errors/misuse.hpp"

namespace CUBIND_NAMESPACE::profile {

using namespace cupti;
using cubind::detail::concat;
using cubind::detail::throw_misuse;
using detail::checked;

namespace {

using Image = std::vector<std::uint8_t>;

// Records have grown since CUDA 12.6. Their later members are not used, and an older CUPTI refuses a size that it does not know.
template <class Parameters>
Parameters sized(std::size_t size) {
    Parameters parameters{};
    parameters.structSize = size;
    return parameters;
}

/// Initializes CUPTI's profiling interface, and ends it.
class Profiler {
public:
    Profiler() {
        CUpti_Profiler_Initialize_Params parameters{};
        checked(cuptiProfilerInitialize(&parameters), "measure metrics");
    }
    Profiler(const Profiler&) = delete;
    Profiler& operator=(const Profiler&) = delete;
    ~Profiler() {
        CUpti_Profiler_DeInitialize_Params parameters{};
        detail::report(cuptiProfilerDeInitialize(&parameters), "end the measurement of metrics");
    }
};

Image counter_availability(ContextRef context) {
    auto parameters = sized<CUpti_Profiler_GetCounterAvailability_Params>(
        offsetof(CUpti_Profiler_GetCounterAvailability_Params, bAllowDeviceLevelCounters));
    parameters.ctx = context.native_handle();
    parameters = checked(cuptiProfilerGetCounterAvailability(parameters), "find the counters of the device");
    Image image(parameters.counterAvailabilityImageSize);
    parameters.pCounterAvailabilityImage = image.data();
    static_cast<void>(checked(cuptiProfilerGetCounterAvailability(parameters), "find the counters of the device"));
    return image;
}

/// What knows metrics: it chooses counters for them, and computes their values.
class Host {
public:
    Host(Device device, const Image& availability) {
        CUpti_Device_GetChipName_Params chip{};
        chip.deviceIndex = static_cast<std::size_t>(device.ordinal());
        chip = checked(cuptiDeviceGetChipName(chip), "find the name of the chip");
        auto parameters = sized<CUpti_Profiler_Host_Initialize_Params>(
            offsetof(CUpti_Profiler_Host_Initialize_Params, pSinglePassMetricSetName));
        parameters.profilerType = CUPTI_PROFILER_TYPE_RANGE_PROFILER;
        parameters.pChipName = chip.pChipName;
        parameters.pCounterAvailabilityImage = availability.data();
        object_ = checked(cuptiProfilerHostInitialize(parameters), "find the metrics of the chip").pHostObject;
    }
    Host(const Host&) = delete;
    Host& operator=(const Host&) = delete;
    ~Host() {
        CUpti_Profiler_Host_Deinitialize_Params parameters{};
        parameters.pHostObject = object_;
        detail::report(cuptiProfilerHostDeinitialize(&parameters), "free the metrics of a chip");
    }

    // Adds one metric at a time, so that an error names it.
    Image configuration(std::vector<const char*>& names) {
        for (const char*& name : names) {
            CUpti_Profiler_Host_ConfigAddMetrics_Params add{};
            add.pHostObject = object_;
            add.ppMetricNames = &name;
            add.numMetrics = 1;
            const auto added = cuptiProfilerHostConfigAddMetrics(&add);
            checked(added, concat("measure the metric ", name, ", which `ncu --query-metrics` lists if the chip has it").c_str());
        }
        CUpti_Profiler_Host_GetConfigImageSize_Params size{};
        size.pHostObject = object_;
        Image image(checked(cuptiProfilerHostGetConfigImageSize(size), "choose counters").configImageSize);
        CUpti_Profiler_Host_GetConfigImage_Params get{};
        get.pHostObject = object_;
        get.configImageSize = image.size();
        get.pConfigImage = image.data();
        static_cast<void>(checked(cuptiProfilerHostGetConfigImage(get), "choose counters"));
        return image;
    }

    std::vector<double> values(const Image& counters, std::vector<const char*>& names) {
        std::vector<double> values(names.size());
        CUpti_Profiler_Host_EvaluateToGpuValues_Params parameters{};
        parameters.pHostObject = object_;
        parameters.pCounterDataImage = counters.data();
        parameters.counterDataImageSize = counters.size();
        parameters.ppMetricNames = names.data();
        parameters.numMetrics = names.size();
        parameters.pMetricValues = values.data();
        static_cast<void>(checked(cuptiProfilerHostEvaluateToGpuValues(parameters), "compute metrics from counters"));
        return values;
    }

private:
    ::CUpti_Profiler_Host_Object* object_ = nullptr;
};

/// What measures one range of a context, in several passes.
class Range {
public:
    explicit Range(ContextRef context) : context_(context) {
        auto parameters = sized<CUpti_RangeProfiler_Enable_Params>(offsetof(CUpti_RangeProfiler_Enable_Params, cacheControlMode));
        parameters.ctx = context.native_handle();
        object_ = checked(cuptiRangeProfilerEnable(parameters), "use the counters of the device").pRangeProfilerObject;
    }
    Range(const Range&) = delete;
    Range& operator=(const Range&) = delete;
    ~Range() {
        auto parameters = of_object<CUpti_RangeProfiler_Disable_Params>();
        detail::report(cuptiRangeProfilerDisable(&parameters), "release the counters of a device");
    }

    Image empty_counters(std::vector<const char*>& names) {
        auto size = of_object<CUpti_RangeProfiler_GetCounterDataSize_Params>();
        size.pMetricNames = names.data();
        size.numMetrics = names.size();
        size.maxNumOfRanges = 1;
        size.maxNumRangeTreeNodes = 1;
        Image image(checked(cuptiRangeProfilerGetCounterDataSize(size), "store counters").counterDataSize);
        auto initialize = of_object<CUpti_RangeProfiler_CounterDataImage_Initialize_Params>();
        initialize.counterDataSize = image.size();
        initialize.pCounterData = image.data();
        checked(cuptiRangeProfilerCounterDataImageInitialize(&initialize), "store counters");
        return image;
    }

    // Returns the number of passes.
    std::size_t measure(const Image& configuration, Image& counters, const std::function<void()>& work) {
        auto config = of_object<CUpti_RangeProfiler_SetConfig_Params>();
        config.configSize = configuration.size();
        config.pConfig = configuration.data();
        config.counterDataImageSize = counters.size();
        config.pCounterDataImage = counters.data();
        config.range = CUPTI_UserRange;
        config.replayMode = CUPTI_UserReplay;
        config.maxRangesPerPass = 1;
        config.numNestingLevels = 1;
        config.minNestingLevel = 1;
        checked(cuptiRangeProfilerSetConfig(&config), "configure the counters");
        std::size_t passes = 0;
        for (bool is_complete = false; !is_complete; ++passes) is_complete = make_pass(work);
        const auto decode = of_object<CUpti_RangeProfiler_DecodeData_Params>();
        static_cast<void>(checked(cuptiRangeProfilerDecodeData(decode), "read the counters"));
        return passes;
    }

private:
    template <class Parameters>
    Parameters of_object() const {
        Parameters parameters{};
        parameters.pRangeProfilerObject = object_;
        return parameters;
    }

    // Returns whether this was the last pass. If the work fails, the range and the pass end first.
    bool make_pass(const std::function<void()>& work) {
        auto start = of_object<CUpti_RangeProfiler_Start_Params>();
        checked(cuptiRangeProfilerStart(&start), "begin a pass");
        auto push = of_object<CUpti_RangeProfiler_PushRange_Params>();
        push.pRangeName = "range";
        auto pop = of_object<CUpti_RangeProfiler_PopRange_Params>();
        const auto stop = of_object<CUpti_RangeProfiler_Stop_Params>();
        try {
            checked(cuptiRangeProfilerPushRange(&push), "begin a range");
            work();
            context_.synchronize();
        } catch (...) {
            static_cast<void>(cuptiRangeProfilerPopRange(&pop));
            static_cast<void>(cuptiRangeProfilerStop(stop));
            throw;
        }
        checked(cuptiRangeProfilerPopRange(&pop), "end a range");
        return checked(cuptiRangeProfilerStop(stop), "end a pass").isAllPassSubmitted != 0;
    }

    ContextRef context_;
    ::CUpti_RangeProfiler_Object* object_ = nullptr;
};

}  // namespace

double Metrics::operator[](std::string_view name) const {
    const auto found = std::ranges::find(values_, name, [](const auto& each) { return std::string_view(each.first); });
    if (found == values_.end()) throw_misuse("Metrics: \"", name, "\" was not measured; pass it to metrics()");
    return found->second;
}

Metrics metrics(ContextRef context, const std::vector<std::string>& names, const std::function<void()>& work) {
    if (names.empty()) throw_misuse("metrics: no metric is named, so nothing would be measured");
    if (work == nullptr) throw_misuse("metrics: the work is empty; pass a function that submits it");
    const ScopedContext current(context);
    const Profiler profiler;
    const Image availability = counter_availability(context);
    Host host(context.device(), availability);
    std::vector<const char*> pointers;
    for (const std::string& each : names) pointers.push_back(each.c_str());
    const Image configuration = host.configuration(pointers);
    Range range(context);
    Image counters = range.empty_counters(pointers);
    context.synchronize();
    const std::size_t passes = range.measure(configuration, counters, work);
    const std::vector<double> values = host.values(counters, pointers);
    std::vector<std::pair<std::string, double>> named;
    for (std::size_t i = 0; i < names.size(); ++i) named.emplace_back(names[i], values[i]);
    return Metrics(std::move(named), passes);
}

}  // namespace CUBIND_NAMESPACE::profile
