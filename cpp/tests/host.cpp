// Host functions: memory is copied to the device and back, and a kernel runs on a stream.
#include "acl/acl.h"
#include "kernel_operator.h"
#include "runtime/rt_ffts.h"

namespace {

extern "C" __global__ AICORE void add_one(GM_ADDR data) {
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

} // namespace

int main() { return works() && converts() ? 0 : 1; }
