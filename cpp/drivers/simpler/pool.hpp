// A pool of threads, each of which is a core of a cluster: a cube core and two vector cores.
#pragma once

#include "task.hpp"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

class Pool {
  public:
    explicit Pool(int clusters) : cores_(static_cast<std::size_t>(clusters) * LANES) {
        for (std::size_t at = 0; at < cores_.size(); ++at) {
            cores_[at].thread = std::thread([this, at] { work(at); });
        }
    }

    ~Pool() {
        wait_for_all();
        {
            std::lock_guard<std::mutex> lock(mutex_);
            stops_ = true;
        }
        changed_.notify_all();
        for (Core &core : cores_) {
            core.thread.join();
        }
    }

    /// Whether all blocks of a task can run at the same time.
    bool can_hold(const Task &task) const {
        const int clusters = static_cast<int>(cores_.size()) / LANES;
        const bool is_vector = task.kernels[0] == nullptr && task.cores() == 1;
        return task.blocks <= (is_vector ? 2 * clusters : clusters);
    }

    /// Submits a task: it runs after all earlier tasks with which its accesses conflict, and after `others`.
    void submit(const std::shared_ptr<Task> &task, const std::vector<PTO2TaskId> &others) {
        {
            std::unique_lock<std::mutex> lock(mutex_);
            changed_.wait(lock, [&] { return unfinished_.size() < WINDOW; });
            for (auto &[id, earlier] : unfinished_) {
                bool follows = false;
                for (PTO2TaskId other : others) {
                    follows |= other.raw == id;
                }
                for (const Range &range : task->ranges) {
                    follows |= conflicts(*earlier, range);
                }
                if (follows) {
                    earlier->next.push_back(task);
                    ++task->waits;
                }
            }
            unfinished_[task->id.raw] = task;
            ++tasks_;
            if (task->waits == 0) {
                ready_.push_back(task);
            }
            place();
        }
        changed_.notify_all();
    }

    /// Waits until no unfinished task accesses what conflicts with the range.
    void wait_for(const Range &range) {
        std::unique_lock<std::mutex> lock(mutex_);
        changed_.wait(lock, [&] {
            for (const auto &[id, task] : unfinished_) {
                if (conflicts(*task, range)) {
                    return false;
                }
            }
            return true;
        });
    }

    void wait_for_all() {
        std::unique_lock<std::mutex> lock(mutex_);
        changed_.wait(lock, [&] { return unfinished_.empty(); });
    }

    std::uint64_t tasks() const { return tasks_; }
    std::uint64_t calls() const { return calls_; }
    /// Number of threads that have called a kernel.
    std::uint32_t threads() const {
        std::uint32_t count = 0;
        for (const Core &core : cores_) {
            count += core.calls > 0;
        }
        return count;
    }

  private:
    static constexpr int LANES = 3;
    /// Most unfinished tasks: the orchestration waits for some of them to end.
    static constexpr std::size_t WINDOW = 512;

    struct Core {
        std::thread thread;
        std::shared_ptr<Task> task;
        int block = 0;
        std::uint64_t calls = 0;
    };

    static bool conflicts(const Task &task, const Range &range) {
        for (const Range &own : task.ranges) {
            if (own.conflicts(range)) {
                return true;
            }
        }
        return false;
    }

    /// Gives blocks of ready tasks to idle cores.
    void place() {
        for (std::size_t at = 0; at < ready_.size();) {
            const std::shared_ptr<Task> task = ready_[at];
            if (task->cores() == 0 || !task->predicate.pass()) {
                ready_.erase(ready_.begin() + static_cast<std::ptrdiff_t>(at));
                end(*task);
                continue;
            }
            std::vector<std::vector<std::size_t>> places;
            while (task->begun + static_cast<int>(places.size()) < task->blocks) {
                std::vector<std::size_t> place = idle(*task);
                if (place.empty()) {
                    break;
                }
                // Busy from now on, so that the next block goes to other cores.
                for (std::size_t core : place) {
                    cores_[core].task = task;
                }
                places.push_back(std::move(place));
            }
            if (task->together && static_cast<int>(places.size()) < task->blocks) {
                for (const auto &place : places) {
                    for (std::size_t core : place) {
                        cores_[core].task = nullptr;
                    }
                }
                places.clear();
            }
            for (const auto &place : places) {
                for (std::size_t core : place) {
                    cores_[core].block = task->begun;
                }
                ++task->begun;
                task->running += static_cast<int>(place.size());
            }
            if (task->begun == task->blocks) {
                ready_.erase(ready_.begin() + static_cast<std::ptrdiff_t>(at));
            } else {
                ++at;
            }
        }
    }

    /// Idle cores for one block of a task, all of one cluster: those that have done the least. Empty if there are none.
    std::vector<std::size_t> idle(const Task &task) const {
        const bool is_vector = task.kernels[0] == nullptr && task.cores() == 1;
        std::vector<std::size_t> best;
        for (std::size_t first = 0; first < cores_.size(); first += LANES) {
            if (is_vector) {
                // One vector kernel runs on either vector core.
                better(best, {first + 1});
                better(best, {first + 2});
                continue;
            }
            std::vector<std::size_t> place;
            for (std::size_t lane = 0; lane < LANES; ++lane) {
                if (task.kernels[lane] != nullptr) {
                    place.push_back(first + lane);
                }
            }
            better(best, place);
        }
        return best;
    }

    void better(std::vector<std::size_t> &best, const std::vector<std::size_t> &place) const {
        for (std::size_t core : place) {
            if (cores_[core].task != nullptr) {
                return;
            }
        }
        if (best.empty() || cores_[place[0]].calls < cores_[best[0]].calls) {
            best = place;
        }
    }

    /// A task has ended: those that wait for it may be ready.
    void end(Task &task) {
        for (const auto &next : task.next) {
            if (--next->waits == 0) {
                ready_.push_back(next);
            }
        }
        task.next.clear();
        task.buffers.clear();
        unfinished_.erase(task.id.raw);
    }

    /// The life of a thread: it becomes a core, and calls kernels until the pool ends.
    void work(std::size_t at) {
        pto_join(at / LANES, static_cast<std::uint32_t>(at % LANES));
        Core &core = cores_[at];
        std::unique_lock<std::mutex> lock(mutex_);
        for (;;) {
            changed_.wait(lock, [&] { return stops_ || core.task != nullptr; });
            if (core.task == nullptr) {
                return;
            }
            const std::shared_ptr<Task> task = core.task;
            const int block = core.block;
            ++core.calls;
            ++calls_;
            lock.unlock();
            call(*task, block, static_cast<int>(at % LANES));
            lock.lock();
            core.task = nullptr;
            if (--task->running == 0 && task->begun == task->blocks) {
                end(*task);
            }
            place();
            changed_.notify_all();
        }
    }

    /// Calls a kernel: words of tensors, then scalars, and at fixed places what the core is in the task.
    void call(Task &task, int block, int lane) {
        std::array<std::int64_t, SPMD_GLOBAL_CONTEXT_INDEX + 1> words{};
        std::size_t count = 0;
        for (ChipTensor &tensor : task.tensors) {
            words[count++] = reinterpret_cast<std::int64_t>(&tensor);
        }
        for (std::uint64_t scalar : task.scalars) {
            words[count++] = static_cast<std::int64_t>(scalar);
        }
        LocalContext local{};
        set_block(local, block, task.blocks, 0);
        GlobalContext global{};
        set_workspace(global, workspace_, 0);
        global.sub_block_id = lane == 2 ? 1 : 0;
        words[SPMD_LOCAL_CONTEXT_INDEX] = reinterpret_cast<std::int64_t>(&local);
        words[SPMD_GLOBAL_CONTEXT_INDEX] = reinterpret_cast<std::int64_t>(&global);
        const bool is_vector = task.kernels[0] == nullptr && task.cores() == 1;
        const Entry kernel = task.kernels[static_cast<std::size_t>(lane)];
        (is_vector && kernel == nullptr ? task.kernels[static_cast<std::size_t>(3 - lane)] : kernel)(words.data());
    }

    /// The workspace of the DMA engine, in which nothing has to be.
    Buffer workspace_{4096};
    std::vector<Core> cores_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::map<std::uint64_t, std::shared_ptr<Task>> unfinished_;
    std::deque<std::shared_ptr<Task>> ready_;
    std::uint64_t tasks_ = 0, calls_ = 0;
    bool stops_ = false;
};
