// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "ptx/run/launch_tree.hpp"

#include <cubind/driver/constants.hpp>

#include <algorithm>
#include <iterator>
#include <utility>

#include "shared/threads.hpp"

namespace CUBIND_NAMESPACE::sim::ptx {

namespace {

// The limit of devices. Grids beyond it are pending.
constexpr std::size_t max_active_grids = 128;

const GridRequest& attach(GridRequest& request, DeviceRuntime& runtime) noexcept {
    request.runtime = &runtime;
    return request;
}

}  // namespace

RunningGrid::RunningGrid(LaunchTree& tree, std::shared_ptr<DeviceWork> own_work)
    : work(std::move(own_work)),
      task(std::move(work->task)),
      runtime(tree, *this),
      grid(attach(task->request, runtime)),
      blocks(make_blocks(grid)) {}

LaunchTree::LaunchTree(const GridRequest& request)
    : host(*request.host),
      request_(request),
      own_heap_(*request.memory, request.heap_bytes),
      max_pending_(host.max_pending_launches()) {
    auto root = std::make_shared<DeviceWork>();
    root->task = std::make_unique<DeviceTask>();
    root->task->request = request;
    if (request.heap == nullptr) root->task->request.heap = &own_heap_;
    ready_.push_back(std::move(root));
}

GridResult LaunchTree::run() {
    {
        const Helpers helpers(request_.workers - 1, [this] { work(); });
        work();
    }
    if (result_.status == driver::CUDA_ERROR_OUT_OF_MEMORY && result_.problem.empty())
        result_.problem = "the host has no memory left for kernel " + request_.kernel->name + " and those that it launches";
    return std::move(result_);
}

void LaunchTree::work() noexcept {
    Lock lock(mutex);
    while (!is_done_) {
        try {
            run_step(lock);
        } catch (const std::bad_alloc&) {
            if (!lock.owns_lock()) lock.lock();
            result_.status = driver::CUDA_ERROR_OUT_OF_MEMORY;
            for (RunningGrid& each : grids_) each.grid.fail_without_memory();
            is_done_ = true;
            changed_.notify_all();
        }
    }
}

void LaunchTree::run_step(Lock& lock) {
    begin_ready();
    if (is_done_) return;
    if (!operations_.empty()) return run_operation(lock);
    const auto found = std::ranges::find_if(active_, [this](RunningGrid* each) { return can_run(*each); });
    if (found == active_.end()) return changed_.wait(lock);
    RunningGrid& grid = **found;
    ++grid.users;
    ++running_;
    lock.unlock();
    const GridBlocks::Share share = grid.blocks->run_share();
    lock.lock();
    --grid.users;
    --running_;
    if (is_crowded()) changed_.notify_all();
    if (is_done_) return;
    if (grid.grid.has_failed()) return fail(grid.grid.result());
    if (share == GridBlocks::Share::paused) {
        active_.splice(active_.end(), active_, std::ranges::find(active_, &grid));
        changed_.notify_one();
    }
    if (grid.users == 0 && grid.blocks->have_ended()) finish_blocks(grid);
}

// Parents wait while many launches are pending and others run, so that launches do not fail that could begin soon.
bool LaunchTree::can_run(RunningGrid& grid) const {
    return grid.blocks->has_work() && (grid.open == 0 || running_ == 0 || !is_crowded());
}

void LaunchTree::run_operation(Lock& lock) {
    const std::shared_ptr<DeviceWork> work = std::move(operations_.front());
    operations_.pop_front();
    const std::unique_ptr<DeviceTask> task = std::move(work->task);
    ++running_;
    lock.unlock();
    const GridResult result = task->operation();
    lock.lock();
    --running_;
    if (is_crowded()) changed_.notify_all();
    if (is_done_) return;
    if (result.status != driver::CUDA_SUCCESS) return fail(result);
    complete(work);
}

void LaunchTree::submit(const std::shared_ptr<DeviceWork>& work) {
    if (work->waits != 0) return;
    ready_.push_back(work);
    changed_.notify_one();
}

bool LaunchTree::add_pending() noexcept {
    if (pending_ >= max_pending_) return false;
    ++pending_;
    return true;
}

void LaunchTree::begin_ready() {
    while (!ready_.empty() && active_.size() < max_active_grids && !is_done_) {
        std::shared_ptr<DeviceWork> work = std::move(ready_.front());
        ready_.pop_front();
        begin(std::move(work));
    }
}

void LaunchTree::begin(std::shared_ptr<DeviceWork> work) {
    const DeviceTask& task = *work->task;
    if (task.is_launch) remove_pending();
    if (task.operation) return operations_.push_back(std::move(work));
    if (GridResult problem = find_problem(task.request); problem.status != driver::CUDA_SUCCESS) return fail(problem);
    if (!task.request.kernel->has_effect) {
        work->task.reset();
        return complete(std::move(work));
    }
    grids_.emplace_back(*this, std::move(work));
    grids_.back().self = std::prev(grids_.end());
    grids_.back().work->grid = &grids_.back();
    activate(grids_.back());
}

// Children run before the rest of their parent, so that few launches are pending. A seed permutes the children of one parent.
void LaunchTree::activate(RunningGrid& grid) {
    auto place = active_.begin();
    if (request_.seed != 0) {
        std::uint64_t choice = (request_.seed + ++begun_) * 0x9e3779b97f4a7c15 >> 56;
        const auto is_sibling = [&] { return place != active_.end() && (*place)->work->parent == grid.work->parent; };
        for (; choice % 4 != 0 && is_sibling(); choice /= 2) ++place;
    }
    active_.insert(place, &grid);
    changed_.notify_all();
}

void LaunchTree::finish_blocks(RunningGrid& grid) {
    active_.remove(&grid);
    grid.blocks.reset();
    grid.runtime.clear();
    if (grid.open == 0) complete(grid.work);
    changed_.notify_all();
}

// A tail launch takes the place of the grid that launched it, so that a chain of them needs no memory.
void LaunchTree::complete(std::shared_ptr<DeviceWork> work) {
    for (;;) {
        if (RunningGrid* const grid = std::exchange(work->grid, nullptr)) {
            std::ranges::move(grid->tails, std::inserter(work->tails, work->tails.begin()));
            grids_.erase(grid->self);
        }
        if (!work->tails.empty()) {
            work->task = std::move(work->tails.front());
            work->tails.pop_front();
            ready_.push_front(std::move(work));
            return;
        }
        work->is_complete = true;
        for (const std::shared_ptr<DeviceWork>& each : work->followers) {
            --each->waits;
            submit(each);
        }
        work->followers.clear();
        RunningGrid* const parent = work->parent;
        if (parent == nullptr) {
            is_done_ = true;
            changed_.notify_all();
            return;
        }
        if (--parent->open != 0 || parent->blocks != nullptr) return;
        work = parent->work;
    }
}

void LaunchTree::fail(const GridResult& result) {
    if (is_done_) return;
    result_ = result;
    for (RunningGrid& each : grids_) each.grid.fail(result.status, result.problem);
    is_done_ = true;
    changed_.notify_all();
}

}  // namespace CUBIND_NAMESPACE::sim::ptx
