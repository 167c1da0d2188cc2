// A runtime for orchestrations of simpler: the functions of its table `PTO2RuntimeOps`, over a pool of threads that call
// kernels. It is compiled with an orchestration, and with the headers of simpler, into one shared object; `run.py` does so.
#include "pool.hpp"

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <string>

extern "C" void framework_bind_runtime(PTO2Runtime *runtime);

namespace {

/// A tensor of the caller.
struct Argument {
    void *data;
    std::uint32_t type, rank;
    std::uint32_t shape[MAX_TENSOR_DIMS];
};

/// A kernel: the core for which it was compiled, 0 for the cube core and 1 for vector cores.
struct Kernel {
    Entry entry;
    std::int32_t core;
};

/// What a run has done.
struct Report {
    std::uint64_t tasks, calls;
    std::uint32_t threads;
};

struct Runtime : PTO2Runtime {
    Runtime(const PTO2RuntimeOps *table, const Kernel *all, int count, int clusters)
        : PTO2Runtime{table, PTO2ScopeMode::AUTO}, kernels(all, all + count), clusters(clusters), pool(clusters) {}

    std::vector<Kernel> kernels;
    int clusters;
    Scopes scopes;
    Pool pool;
    std::uint32_t tasks = 0;
    std::string fatal;

    void fail(const std::string &why) {
        if (fatal.empty()) {
            fatal = why;
        }
    }

    Entry kernel(std::int32_t number, std::int32_t core) {
        if (number == INVALID_KERNEL_ID) {
            return nullptr;
        }
        const bool exists = number >= 0 && static_cast<std::size_t>(number) < kernels.size() &&
                            kernels[static_cast<std::size_t>(number)].entry != nullptr;
        if (!exists || kernels[static_cast<std::size_t>(number)].core != core) {
            fail("there is no kernel " + std::to_string(number) + (core == 0 ? " for cube" : " for vector") + " cores");
            return nullptr;
        }
        return kernels[static_cast<std::size_t>(number)].entry;
    }
};

Runtime &of(PTO2Runtime *runtime) { return *static_cast<Runtime *>(runtime); }

/// Allocates an output. Its initial value, where the runtime has them, is written by the host.
template <typename Info>
auto note_initial(const Info &info, const ChipTensor &tensor, int) -> decltype(info.has_initial_value, void()) {
    if (info.has_initial_value) {
        pto_wrote(reinterpret_cast<const void *>(tensor.buffer.addr), tensor.buffer.size);
    }
}
template <typename Info>
void note_initial(const Info &, const ChipTensor &, long) {}

/// A task with the arguments of a submission, and what the orchestration gets of it.
TaskOutputTensors prepare(Runtime &runtime, const CoreTaskArgs &args, const std::shared_ptr<Task> &task,
                          std::vector<PTO2TaskId> &after) {
    task->id = PTO2TaskId::make(0, runtime.tasks++);
    TaskOutputTensors outputs;
    outputs.set_task_id(task->id);
    const bool is_manual = runtime.scopes.is_manual();
    // The kernels and the orchestration have pointers to these tensors.
    task->tensors.reserve(static_cast<std::size_t>(args.tensor_count()));
    for (std::int32_t at = 0; at < args.tensor_count(); ++at) {
        const TensorArgType tag = args.tag(at);
        task->tensors.emplace_back();
        ChipTensor &tensor = task->tensors.back();
        if (tag == TensorArgType::OUTPUT) {
            const TensorCreateInfo &info = args.tensor(at).create_info();
            const std::uint64_t bytes = info.buffer_size_bytes();
            const auto buffer = runtime.scopes.allocate(bytes);
            init_tensor_from_create_info(tensor, info, buffer->data(), bytes);
            note_initial(info, tensor, 0);
            tensor.owner_task_id = task->id;
            task->buffers.push_back(buffer);
            outputs.materialize_output(tensor);
        } else {
            tensor = args.tensor(at).ref();
            if (auto buffer = runtime.scopes.find(tensor)) {
                task->buffers.push_back(std::move(buffer));
            }
            if (!is_manual && tensor.owner_task_id.is_valid()) {
                after.push_back(tensor.owner_task_id);
            }
        }
        // In a manual scope the orchestration itself says what a task waits for.
        if (!is_manual && !tensor.manual_dep && tag != TensorArgType::NO_DEP) {
            task->ranges.push_back(range_of(tensor, tag != TensorArgType::INPUT));
        }
    }
    for (std::int32_t at = 0; at < args.scalar_count(); ++at) {
        task->scalars.push_back(args.scalar(at));
    }
    for (std::uint32_t at = 0; at < args.explicit_dep_count(); ++at) {
        after.push_back(args.explicit_dep(at));
    }
    runtime.scopes.keep(task);
    return outputs;
}

TaskOutputTensors submit_task(PTO2Runtime *table, const MixedKernels &kernels, const CoreTaskArgs &args) {
    Runtime &runtime = of(table);
    if (args.has_error) {
        runtime.fail(args.error_msg);
        return {};
    }
    const auto task = std::make_shared<Task>();
    std::vector<PTO2TaskId> after;
    TaskOutputTensors outputs = prepare(runtime, args, task, after);
    task->kernels = {runtime.kernel(kernels.aic_kernel_id, 0), runtime.kernel(kernels.aiv0_kernel_id, 1),
                     runtime.kernel(kernels.aiv1_kernel_id, 1)};
    task->blocks = blocks_of(args.launch_spec, 0);
    task->together = args.launch_spec.require_sync_start();
    const CoreTaskPredicate &predicate = args.predicate();
    if (predicate.op != PredicateOp::NONE) {
        const ChipTensor &tensor = *predicate.operand.tensor;
        const std::uint64_t size = get_element_size(tensor.dtype);
        const auto offset = tensor.compute_flat_offset(predicate.operand.indices, predicate.operand.ndims);
        task->predicate.addr = tensor.buffer.addr + offset * size;
        task->predicate.target = predicate.target;
        task->predicate.elem_size = static_cast<std::uint8_t>(size);
        task->predicate.op = predicate.op;
    }
    if (task->together && !runtime.pool.can_hold(*task)) {
        runtime.fail("a task has " + std::to_string(task->blocks) +
                     " blocks that run at the same time: more clusters are needed");
    }
    if (runtime.fatal.empty()) {
        runtime.pool.submit(task, after);
    }
    return outputs;
}

TaskOutputTensors submit_dummy_task(PTO2Runtime *table, const CoreTaskArgs &args) {
    return submit_task(table, MixedKernels(), args);
}

/// Memory alone: no task.
TaskOutputTensors allocate(PTO2Runtime *table, const CoreTaskArgs &args) {
    std::vector<PTO2TaskId> after;
    return prepare(of(table), args, std::make_shared<Task>(), after);
}

void scope_begin(PTO2Runtime *table) {
    // A scope in a manual one is manual, too.
    Runtime &runtime = of(table);
    runtime.scopes.begin(table->pending_scope_mode == PTO2ScopeMode::MANUAL || runtime.scopes.is_manual());
    table->pending_scope_mode = PTO2ScopeMode::AUTO;
}
void scope_end(PTO2Runtime *table) { of(table).scopes.end(); }
void orchestration_done(PTO2Runtime *) {}
bool is_fatal(PTO2Runtime *table) { return !of(table).fatal.empty(); }

std::string formatted(const char *format, va_list arguments) {
    char text[1024];
    std::vsnprintf(text, sizeof text, format, arguments);
    return text;
}

void report_fatal(PTO2Runtime *table, std::int32_t code, const char *function, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    of(table).fail(std::string(function) + " reports error " + std::to_string(code) + ": " +
                   formatted(format, arguments));
    va_end(arguments);
}

void complain(const char *function, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    std::fprintf(stderr, "%s: %s\n", function, formatted(format, arguments).c_str());
    va_end(arguments);
}
void be_silent(const char *, const char *, ...) {}

std::uint64_t get_tensor_data(PTO2Runtime *table, const ChipTensor &tensor, std::uint32_t rank,
                              const std::uint32_t indices[]) {
    of(table).pool.wait_for(range_of(tensor, false));
    const std::uint64_t size = get_element_size(tensor.dtype);
    const auto at = tensor.buffer.addr + tensor.compute_flat_offset(indices, rank) * size;
    std::uint64_t value = 0;
    std::memcpy(&value, reinterpret_cast<const void *>(at), size);
    return value;
}

void set_tensor_data(PTO2Runtime *table, const ChipTensor &tensor, std::uint32_t rank, const std::uint32_t indices[],
                     std::uint64_t value) {
    of(table).pool.wait_for(range_of(tensor, true));
    const std::uint64_t size = get_element_size(tensor.dtype);
    auto *at = reinterpret_cast<void *>(tensor.buffer.addr + tensor.compute_flat_offset(indices, rank) * size);
    std::memcpy(at, &value, size);
    pto_wrote(at, size);
}

std::int32_t cluster_count(PTO2Runtime *table) { return of(table).clusters; }
std::int32_t vector_count(PTO2Runtime *table) { return 2 * of(table).clusters; }

PTO2RuntimeOps functions() {
    PTO2RuntimeOps table{};
    table.submit_task = submit_task;
    table.scope_begin = scope_begin;
    table.scope_end = scope_end;
    table.orchestration_done = orchestration_done;
    table.is_fatal = is_fatal;
    table.report_fatal = report_fatal;
    table.log_error = complain;
    table.log_warn = complain;
    table.log_timing = be_silent;
    table.log_info = be_silent;
    table.log_debug = be_silent;
    table.get_tensor_data = get_tensor_data;
    table.set_tensor_data = set_tensor_data;
    table.alloc_tensors = allocate;
    table.submit_dummy_task = submit_dummy_task;
    table.available_cluster_count = cluster_count;
    table.available_aiv_count = vector_count;
    return table;
}

std::string failure;

} // namespace

extern "C" void unified_log_error(const char *function, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    std::fprintf(stderr, "%s: %s\n", function, formatted(format, arguments).c_str());
    va_end(arguments);
}

/// Runs an orchestration. Returns null, or why it failed.
extern "C" const char *run_orchestration(void (*entry)(const ChipTaskArgs &), const Argument *tensors,
                                         std::int32_t count, const std::uint64_t *scalars, std::int32_t scalar_count,
                                         const Kernel *kernels, std::int32_t kernel_count, std::int32_t clusters,
                                         Report *report) {
    const PTO2RuntimeOps table = functions();
    auto storage = std::make_unique<ChipStorageTaskArgs>();
    for (std::int32_t at = 0; at < count; ++at) {
        const Argument &given = tensors[at];
        ChipTensor tensor;
        std::memset(static_cast<void *>(&tensor), 0, sizeof tensor);
        std::uint64_t bytes = get_element_size(static_cast<DataType>(given.type));
        for (std::uint32_t dimension = 0; dimension < given.rank; ++dimension) {
            bytes *= given.shape[dimension];
        }
        tensor.init_external(given.data, bytes, given.shape, given.rank, static_cast<DataType>(given.type), 0);
        storage->add_tensor(tensor);
    }
    for (std::int32_t at = 0; at < scalar_count; ++at) {
        storage->add_scalar(scalars[at]);
    }
    auto args = std::make_unique<ChipTaskArgs>();
    args->create_from_chip_args(*storage);
    Runtime runtime(&table, kernels, kernel_count, clusters);
    framework_bind_runtime(&runtime);
    try {
        runtime.scopes.begin(false);
        entry(*args);
        runtime.pool.wait_for_all();
        runtime.scopes.end();
    } catch (const std::exception &error) {
        runtime.fail(error.what());
    }
    runtime.pool.wait_for_all();
    *report = {runtime.pool.tasks(), runtime.pool.calls(), runtime.pool.threads()};
    failure = runtime.fatal;
    return failure.empty() ? nullptr : failure.c_str();
}
