// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "ptx/run/grid.hpp"

#include <cubind/driver/constants.hpp>

#include <algorithm>
#include <cstdio>
#include <deque>
#include <numeric>
#include <thread>

#include "ptx/run/cluster.hpp"
#include "ptx/run/launch_tree.hpp"
#include "shared/threads.hpp"

namespace CUBIND_NAMESPACE::sim::ptx {

namespace {

// Limits of the clusters and blocks that have begun and not ended. A GPU has such a limit, too; it is larger for blocks of few
// threads. Blocks take memory, so the limit of clusters starts at the minimum. It doubles whenever that many paused clusters have
// run again, because their blocks may wait for others that have not begun.
constexpr std::uint64_t min_started_clusters = 4;
constexpr std::uint64_t max_started_blocks = 2048;

// The limit of GPUs for the local memory of a thread.
constexpr std::size_t max_local_bytes = 512 * 1024;

// A block that ends within its first share of one warp never asks whether the launch must end, so every 64th cluster asks before
// it begins. To ask takes about as long as an instruction of a warp, and 64 such blocks a fraction of a second at most.
constexpr std::uint64_t clusters_per_question = 64;

__extension__ using Wide = unsigned __int128;

std::uint64_t blocks_of(const Extent3& size) {
    return std::uint64_t{size.x} * size.y * size.z;
}

// Divisions take time, and most launches have no clusters.
std::uint64_t divide_by_cluster(std::uint64_t blocks, const GridRequest& request) {
    const std::uint64_t size = blocks_of(request.cluster);
    return size == 1 ? blocks : blocks / size;
}

/// The clusters of a launch that have not ended. Thread-safe.
class Schedule final : public GridBlocks {
public:
    explicit Schedule(Grid& grid) : grid_(grid) {
        count_ = divide_by_cluster(blocks_of(grid.request.grid), grid.request);
        limit_ = grid.request.is_cooperative ? count_ : std::max<std::uint64_t>(min_started_clusters, grid.request.workers);
        max_limit_ = divide_by_cluster(max_started_blocks, grid.request);
    }

    Share run_share() override;
    bool has_work() override;
    bool have_ended() override;

private:
    bool can_begin() const { return begun_ < count_ && begun_ - ended_ < limit_; }
    /// Returns a cluster to run, or null if there is none.
    std::unique_ptr<Cluster> next();
    /// Takes a cluster back that has paused.
    void pause(std::unique_ptr<Cluster> cluster);
    /// Takes a cluster back that has ended.
    void end(std::unique_ptr<Cluster> cluster);
    std::uint64_t permute(std::uint64_t position) const;
    /// Ends the launch if the request demands it before the cluster at this position begins.
    bool is_interrupted(std::uint64_t position);

    Grid& grid_;
    std::mutex mutex_;
    std::uint64_t count_ = 0;
    std::uint64_t begun_ = 0;
    std::uint64_t ended_ = 0;
    std::uint64_t limit_ = 0;      ///< clusters that may have begun and not ended
    std::uint64_t max_limit_ = 0;  ///< up to which the limit grows
    std::uint64_t resumed_ = 0;    ///< paused clusters that have run again since the limit changed
    std::deque<std::unique_ptr<Cluster>> paused_;
    std::vector<std::unique_ptr<Cluster>> spare_;
};

// A step that has no factor in common with the count visits each cluster once.
std::uint64_t Schedule::permute(std::uint64_t position) const {
    if (grid_.request.seed == 0 || count_ < 2) return position;
    std::uint64_t step = grid_.request.seed % count_ | 1;
    while (std::gcd(step, count_) != 1) ++step;
    const auto product = static_cast<Wide>(position) * step + grid_.request.seed;
    return static_cast<std::uint64_t>(product % count_);
}

std::unique_ptr<Cluster> Schedule::next() {
    std::unique_ptr<Cluster> cluster;
    std::uint64_t position = 0;
    {
        const std::lock_guard lock(mutex_);
        if (grid_.has_failed()) return nullptr;
        if (!can_begin()) {
            if (paused_.empty()) return nullptr;
            cluster = std::move(paused_.front());
            paused_.pop_front();
            if (++resumed_ >= limit_ && limit_ < max_limit_) {
                limit_ *= 2;
                resumed_ = 0;
            }
            return cluster;
        }
        position = begun_++;
        if (!spare_.empty()) {
            cluster = std::move(spare_.back());
            spare_.pop_back();
        }
    }
    if (is_interrupted(position)) return nullptr;
    if (cluster == nullptr) cluster = std::make_unique<Cluster>(grid_);
    cluster->start(grid_, permute(position));
    return cluster;
}

// The host has just begun its own launch. A launch of a kernel may be one of many with a few blocks each.
bool Schedule::is_interrupted(std::uint64_t position) {
    const bool is_first_of_host = position == 0 && grid_.request.runtime == nullptr;
    if (position % clusters_per_question != 0 || is_first_of_host) return false;
    const std::string reason = grid_.find_interruption();
    if (reason.empty()) return false;
    grid_.interrupt(reason, "before " + std::to_string(count_ - position) + " of " + std::to_string(count_) +
                                (grid_.request.is_explicit_cluster ? " clusters" : " blocks") + " began");
    return true;
}

void Schedule::pause(std::unique_ptr<Cluster> cluster) {
    const std::lock_guard lock(mutex_);
    paused_.push_back(std::move(cluster));
}

void Schedule::end(std::unique_ptr<Cluster> cluster) {
    const std::lock_guard lock(mutex_);
    ++ended_;
    spare_.push_back(std::move(cluster));
}

GridBlocks::Share Schedule::run_share() {
    std::unique_ptr<Cluster> cluster = next();
    if (cluster == nullptr) return Share::none;
    const Block::Progress progress = cluster->run();
    if (progress == Block::Progress::ended) {
        end(std::move(cluster));
        return Share::ended;
    }
    if (progress == Block::Progress::polling) std::this_thread::yield();
    pause(std::move(cluster));
    return Share::paused;
}

bool Schedule::has_work() {
    const std::lock_guard lock(mutex_);
    return !grid_.has_failed() && (can_begin() || !paused_.empty());
}

bool Schedule::have_ended() {
    const std::lock_guard lock(mutex_);
    return ended_ == count_;
}

void run_clusters(Grid& grid, Schedule& schedule) noexcept {
    try {
        while (schedule.run_share() != GridBlocks::Share::none) {
        }
    } catch (const std::bad_alloc&) {
        grid.fail_without_memory();
    }
}

std::uint64_t next_number() {
    static std::atomic<std::uint64_t> next{1};
    return next.fetch_add(1, std::memory_order_relaxed);
}

}  // namespace

Grid::Grid(const GridRequest& own_request)
    : request(own_request),
      number(next_number()),
      memory_(*own_request.memory, own_request.runtime),
      own_heap_(*own_request.memory, own_request.heap_bytes),
      blocks_(blocks_of(own_request.grid)) {}

bool Grid::Memory::find(std::uint64_t address, MemoryRange& range) const {
    const MemoryRange own{.begin = this->address(), .size = sizeof(Workspace), .owner = workspace_};
    if (own.contains(address, 1)) {
        range = own;
        return true;
    }
    return all_.find(address, range) || (runtime_ != nullptr && runtime_->find(address, range));
}

void Grid::fail(driver::CUresult status, std::string problem) {
    const std::lock_guard lock(mutex_);
    if (result_.status != driver::CUDA_SUCCESS) return;
    result_ = {status, std::move(problem)};
    has_failed_.store(true, std::memory_order_relaxed);
}

void Grid::fail_without_memory() noexcept {
    const std::lock_guard lock(mutex_);
    if (result_.status != driver::CUDA_SUCCESS) return;
    result_.status = driver::CUDA_ERROR_OUT_OF_MEMORY;
    has_failed_.store(true, std::memory_order_relaxed);
}

std::string Grid::find_interruption() const {
    return request.find_interruption ? request.find_interruption() : std::string();
}

void Grid::interrupt(const std::string& reason, const std::string& place) {
    char seconds[32];
    std::snprintf(seconds, sizeof seconds, "%.1f",
                  std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count());
    fail(driver::CUDA_ERROR_LAUNCH_TIMEOUT,
         "kernel " + request.kernel->name + " was interrupted after " + seconds + " s: " + reason + "; " + place);
}

GridResult Grid::result() const {
    const std::lock_guard lock(mutex_);
    if (result_.status != driver::CUDA_ERROR_OUT_OF_MEMORY) return result_;
    return {result_.status, "the host has no memory left for the threads of kernel " + request.kernel->name};
}

std::unique_ptr<GridBlocks> make_blocks(Grid& grid) {
    return std::make_unique<Schedule>(grid);
}

GridResult find_problem(const GridRequest& request) {
    if (request.kernel->local_bytes <= max_local_bytes) return {};
    return {driver::CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES,
            "kernel " + request.kernel->name + " declares " + std::to_string(request.kernel->local_bytes) +
                " bytes of local memory for each thread, more than the limit of " + std::to_string(max_local_bytes)};
}

GridResult run_grid(const GridRequest& request) {
    if (!request.kernel->has_effect) return {};
    if (GridResult problem = find_problem(request); problem.status != driver::CUDA_SUCCESS) return problem;
    if (request.host != nullptr) return LaunchTree(request).run();
    Grid grid(request);
    Schedule schedule(grid);
    const std::uint64_t clusters = divide_by_cluster(blocks_of(request.grid), request);
    {
        const Helpers helpers(std::min<std::uint64_t>(request.workers, clusters) - 1, [&] { run_clusters(grid, schedule); });
        run_clusters(grid, schedule);
    }
    return grid.result();
}

}  // namespace CUBIND_NAMESPACE::sim::ptx
