// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/layers/layer.hpp>
#include <cubind/layers/trace.hpp>

#include <atomic>
#include <memory>
#include <mutex>

#include "objects/handle_names.hpp"
#include "objects/tracker.hpp"
#include "support/fork.hpp"
#include "support/omissions.hpp"
#include "support/threads.hpp"
#include "trace/memory.hpp"
#include "trace/output.hpp"

namespace CUBIND_NAMESPACE::layers::trace {

namespace {

class Trace final : public Layer {
public:
    Trace() {
        hold_during_fork(ForkLevel::layer, this,
                         {.hold = [](void* object) noexcept { static_cast<Trace*>(object)->mutex_.lock(); },
                          .release = [](void* object) noexcept { static_cast<Trace*>(object)->mutex_.unlock(); },
                          .in_child = [](void* object) noexcept { static_cast<Trace*>(object)->continue_in_child(); }});
    }

    void start(const Options& options) {
        auto opened = options.memory > 0 ? nullptr : std::make_unique<Output>(options);
        const std::lock_guard lock(mutex_);
        memory_.begin(options.memory);  // throws if there is not so much memory, and then the current trace continues
        finish();
        lost_ = 0;
        format_.store(options.format, std::memory_order_relaxed);
        output_ = std::move(opened);
        to_memory_.store(output_ == nullptr, std::memory_order_release);
        if (output_ != nullptr) {
            memory_.clear();
            output_->begin();
        }
        if (is_on(*this)) {
            push(*this);  // moves the layer to the top
        } else {
            objects::push_with_tracking(*this, objects::Interest::handles);  // traces contain the names of handles
        }
    }

    void stop() {
        const std::lock_guard lock(mutex_);
        if (is_on(*this)) {
            remove(*this);
            objects::stop_tracking(objects::Interest::handles);
        }
        finish();
    }

    unsigned long dropped() {
        const std::lock_guard lock(mutex_);
        return memory_.dropped() + lost_ + omissions_.count() + (output_ != nullptr ? output_->lost() : 0);
    }

    Memory& memory() { return memory_; }

    void handle(const Call& call, const Next& next) noexcept override {
        std::byte room[max_capture];
        Capture capture(room);
        capture_arguments(call, capture, objects::handle_name_for(call));
        const long long begin = time_since_start().count();
        next(call);
        const long long end = time_since_start().count();
        capture_results(call, capture);
        const CallRecord record{&call.library, &call.function,       begin,
                                end - begin,   this_thread_number(), static_cast<unsigned>(capture.size())};
        omissions_.attempt([&] {
            if (to_memory_.load(std::memory_order_acquire)) {
                memory_.add(record, room);
            } else {
                write_line(record, room);
            }
        });
    }

private:
    void write_line(const CallRecord& record, const std::byte* captured) {
        const Format format = format_.load(std::memory_order_relaxed);
        std::string line;
        append_line(line, record, captured, format);
        const std::lock_guard lock(mutex_);
        // Omits a call that began during a previous trace with another format.
        if (output_ != nullptr && format == output_->format()) output_->write(line);
    }

    // Completes the file and closes it.
    void finish() {
        lost_ += omissions_.count();
        omissions_.end();
        if (output_ == nullptr) return;
        output_->finish();
        lost_ += output_->lost();
        output_.reset();
    }

    void continue_in_child() {
        if (output_ != nullptr) output_->continue_in_child();
        lost_ = 0;
    }

    std::mutex mutex_;
    std::atomic<Format> format_{Format::text};
    std::unique_ptr<Output> output_;  ///< null if calls are not written as they end
    unsigned long lost_ = 0;          ///< number of calls that were missing in the output when it was closed
    std::atomic<bool> to_memory_{false};
    Memory memory_;
    Omissions omissions_{"trace", "missing in the trace"};
};

// Never destroyed: calls may be made until the process ends.
Trace& trace_layer() {
    static Trace& layer = *new Trace;
    return layer;
}

}  // namespace

void start(const Options& options) {
    trace_layer().start(options);
}

void stop() {
    trace_layer().stop();
}

std::string recorded(Format format) {
    return trace_layer().memory().text(format);
}

unsigned long dropped() {
    return trace_layer().dropped();
}

void clear() {
    trace_layer().memory().clear();
}

}  // namespace CUBIND_NAMESPACE::layers::trace
