// Host functions: memory is copied to the device and back, and a kernel runs on a stream.
#include "acl/acl.h"
#include "kernel_operator.h"
#include "runtime/rt_ffts.h"
#include "securec.h"

// Programs declare functions of the runtime themselves.
extern "C" rtError_t rtSetDevice(std::int32_t device);

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
    std::uint32_t devices = 0;
    std::int64_t cores = 0;
    const bool known = aclrtGetDeviceCount(&devices) == ACL_SUCCESS && devices == 1 &&
                       aclrtGetDeviceInfo(0, ACL_DEV_ATTR_AICORE_CORE_NUM, &cores) == ACL_SUCCESS && cores > 0 &&
                       aclGetRecentErrMsg() == nullptr;
    const bool ready = known && aclInit(nullptr) == ACL_SUCCESS && aclrtSetDevice(0) == ACL_SUCCESS &&
                       aclrtCreateStream(&stream) == ACL_SUCCESS && stream != nullptr &&
                       rtGetC2cCtrlAddr(&flags, &bytes) == RT_ERROR_NONE && flags != 0 && rtSetDevice(0) == RT_ERROR_NONE &&
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

/// Time between two events.
bool measures() {
    aclrtEvent first = nullptr;
    aclrtEvent last = nullptr;
    float time = -1;
    const bool made = aclrtCreateEvent(&first) == ACL_SUCCESS && aclrtCreateEvent(&last) == ACL_SUCCESS &&
                      aclrtRecordEvent(first, nullptr) == ACL_SUCCESS && aclrtRecordEvent(last, nullptr) == ACL_SUCCESS &&
                      aclrtEventElapsedTime(&time, first, last) == ACL_SUCCESS;
    return made && time >= 0 && aclrtDestroyEvent(first) == ACL_SUCCESS && aclrtDestroyEvent(last) == ACL_SUCCESS;
}

bool is(const char *text, const char *expected) { return std::strcmp(text, expected) == 0; }

/// What fits is written, and what does not is refused and clears the destination.
bool bounds() {
    char text[4] = "";
    const bool copies = strcpy_s(text, 4, "abc") == EOK && is(text, "abc") &&
                        strcpy_s(text, 4, "abcd") == ERANGE_AND_RESET && is(text, "") &&
                        strncpy_s(text, 4, "abcdef", 2) == EOK && is(text, "ab") && strcat_s(text, 4, "c") == EOK &&
                        is(text, "abc") && strcat_s(text, 4, "d") == ERANGE_AND_RESET && is(text, "");
    const bool prints = sprintf_s(text, 4, "%d", 123) == 3 && is(text, "123") && sprintf_s(text, 4, "%d", 1234) == -1 &&
                        is(text, "") && snprintf_s(text, 4, 2, "%d", 123) == -1 && is(text, "12");
    const bool fills = memset_s(text, 4, 'x', 4) == EOK && text[3] == 'x' && memcpy_s(text, 4, "abcd", 4) == EOK &&
                       text[3] == 'd' && memcpy_s(text, 4, "abcdef", 5) == ERANGE_AND_RESET && text[3] == 0;
    return copies && prints && fills;
}

} // namespace

int main() { return works() && converts() && launches_objects() && measures() && bounds() ? 0 : 1; }
