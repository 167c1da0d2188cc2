// Host functions: memory is copied to the device and back, and a kernel runs on a stream.
#include "acl/acl.h"
#include "kernel_operator.h"
#include "runtime/rt_ffts.h"

namespace {

extern "C" __global__ AICORE void add_one(GM_ADDR data) {
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
    SetFullVecMaskByDType<float>();
    if (AscendC::GetBlockNum() == 2) {
        data[get_block_idx()] += 1;
    }
}

bool works() {
    std::uint8_t host[2] = {1, 2};
    void *device = nullptr;
    aclrtStream stream = nullptr;
    std::uint64_t flags = 1;
    std::uint32_t bytes = 1;
    const bool ready = aclInit(nullptr) == ACL_SUCCESS && aclrtSetDevice(0) == ACL_SUCCESS &&
                       aclrtCreateStream(&stream) == ACL_SUCCESS && stream != nullptr &&
                       rtGetC2cCtrlAddr(&flags, &bytes) == RT_ERROR_NONE &&
                       aclrtMalloc(&device, 2, ACL_MEM_MALLOC_HUGE_FIRST) == ACL_SUCCESS;
    if (!ready || aclrtMemcpy(device, 2, host, 2, ACL_MEMCPY_HOST_TO_DEVICE) != ACL_SUCCESS) {
        return false;
    }
    pto::launch(pto::Config(2, nullptr, stream), add_one)(static_cast<GM_ADDR>(device));
    const bool copied = aclrtSynchronizeStream(stream) == ACL_SUCCESS &&
                        aclrtMemcpy(host, 2, device, 2, ACL_MEMCPY_DEVICE_TO_HOST) == ACL_SUCCESS &&
                        aclrtMemcpy(host, 1, device, 2, ACL_MEMCPY_DEVICE_TO_HOST) != ACL_SUCCESS &&
                        aclrtMemset(device, 2, 0, 2) == ACL_SUCCESS && aclrtFree(device) == ACL_SUCCESS;
    return copied && host[0] == 2 && host[1] == 3;
}

bool converts() {
    for (unsigned bits = 0; bits < 0x10000; ++bits) {
        half value;
        value.bits = static_cast<std::uint16_t>(bits);
        const float expected = value;
        const float got = aclFloat16ToFloat(static_cast<aclFloat16>(bits));
        if (expected == expected ? got != expected : got == got) {
            return false;
        }
    }
    return true;
}

/// A function object on as many blocks as there is work for.
bool launches_objects() {
    unsigned count = 0;
    std::int64_t blocks = 0;
    const auto object = [&] {
        ++count;
        blocks = get_block_num();
    };
    pto::cpu_sim::LaunchKernelMultiCore(
        {/* kernel_name */ "object", /* requested_cores */ 8, /* total_work_items */ 33, /* work_quantum */ 16}, nullptr,
        object);
    const bool is_divided = count == 3 && blocks == 3;
    pto::cpu_sim::KernelLaunchOptions options;
    options.requested_cores = 2;
    options.total_work_items = 1000;
    pto::cpu_sim::LaunchKernelMultiCore(options, nullptr, object);
    return is_divided && count == 5 && blocks == 2;
}

} // namespace

int main() { return works() && converts() && launches_objects() ? 0 : 1; }
