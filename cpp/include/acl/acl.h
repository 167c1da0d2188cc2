/* Host functions of the Ascend runtime, over the library. The device is this host: pointers of both are the same, streams
   are empty, and a launch has ended when it returns. */
#ifndef PTO_ACL_ACL_H
#define PTO_ACL_ACL_H

#include "pto/pto.h"
#include "runtime/functions.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>

typedef int aclError;
typedef void *aclrtStream;
typedef void *aclrtContext;
typedef void *aclrtEvent;
typedef std::uint16_t aclFloat16;

enum : aclError { ACL_SUCCESS = 0, ACL_ERROR_NONE = 0, ACL_ERROR_INVALID_PARAM = 100000, ACL_ERROR_BAD_ALLOC = 200000 };

typedef enum aclrtMemMallocPolicy {
    ACL_MEM_MALLOC_HUGE_FIRST,
    ACL_MEM_MALLOC_HUGE_ONLY,
    ACL_MEM_MALLOC_NORMAL_ONLY
} aclrtMemMallocPolicy;

typedef enum aclrtMemcpyKind {
    ACL_MEMCPY_HOST_TO_HOST,
    ACL_MEMCPY_HOST_TO_DEVICE,
    ACL_MEMCPY_DEVICE_TO_HOST,
    ACL_MEMCPY_DEVICE_TO_DEVICE
} aclrtMemcpyKind;

typedef enum aclrtDevAttr { ACL_DEV_ATTR_AICORE_CORE_NUM } aclrtDevAttr;

typedef enum aclrtCmoType { ACL_RT_CMO_TYPE_PREFETCH } aclrtCmoType;

inline aclError aclInit(const char *) { return ACL_SUCCESS; }
inline aclError aclFinalize() { return ACL_SUCCESS; }
inline aclError aclrtSetDevice(std::int32_t) { return ACL_SUCCESS; }
inline aclError aclrtResetDevice(std::int32_t) { return ACL_SUCCESS; }
inline aclError aclrtGetDeviceCount(std::uint32_t *count) {
    *count = 1;
    return ACL_SUCCESS;
}
/* The number of cube cores is that of the usual device of the target. */
inline aclError aclrtGetDeviceInfo(std::uint32_t, aclrtDevAttr, std::int64_t *value) {
#ifdef PTO_TARGET_A5
    *value = 32;
#else
    *value = 24;
#endif
    return ACL_SUCCESS;
}
inline const char *aclGetRecentErrMsg() { return nullptr; }

inline aclError aclrtCreateStream(aclrtStream *stream) {
    // Not null, which programs take for a failure.
    static char only = 0;
    *stream = &only;
    return ACL_SUCCESS;
}
inline aclError aclrtDestroyStream(aclrtStream) { return ACL_SUCCESS; }
inline aclError aclrtSynchronizeStream(aclrtStream) { return ACL_SUCCESS; }
inline aclError aclrtSynchronizeDevice() { return ACL_SUCCESS; }

inline aclError aclrtMalloc(void **memory, std::size_t bytes, aclrtMemMallocPolicy) {
    *memory = pto_allocate(bytes);
    return *memory == nullptr ? ACL_ERROR_BAD_ALLOC : ACL_SUCCESS;
}
inline aclError aclrtFree(void *memory) { return pto_free(memory) == 0 ? ACL_SUCCESS : ACL_ERROR_INVALID_PARAM; }

// Memory of the host is not memory of tensors, so the library does not register it.
inline aclError aclrtMallocHost(void **memory, std::size_t bytes) {
    *memory = std::malloc(bytes);
    return *memory == nullptr ? ACL_ERROR_BAD_ALLOC : ACL_SUCCESS;
}
inline aclError aclrtFreeHost(void *memory) {
    std::free(memory);
    return ACL_SUCCESS;
}

inline aclError aclrtMemcpy(void *destination, std::size_t capacity, const void *source, std::size_t bytes,
                            aclrtMemcpyKind) {
    if (bytes > capacity) {
        return ACL_ERROR_INVALID_PARAM;
    }
    std::memmove(destination, source, bytes);
    pto_wrote(destination, bytes);
    return ACL_SUCCESS;
}
inline aclError aclrtMemcpyAsync(void *destination, std::size_t capacity, const void *source, std::size_t bytes,
                                 aclrtMemcpyKind kind, aclrtStream) {
    return aclrtMemcpy(destination, capacity, source, bytes, kind);
}

inline aclError aclrtMemset(void *memory, std::size_t capacity, std::int32_t value, std::size_t bytes) {
    if (bytes > capacity) {
        return ACL_ERROR_INVALID_PARAM;
    }
    std::memset(memory, value, bytes);
    pto_wrote(memory, bytes);
    return ACL_SUCCESS;
}
inline aclError aclrtMemsetAsync(void *memory, std::size_t capacity, std::int32_t value, std::size_t bytes,
                                 aclrtStream) {
    return aclrtMemset(memory, capacity, value, bytes);
}

/* Events have the time at which they were recorded, which is that of this host and not of a device. */
inline aclError aclrtCreateEvent(aclrtEvent *event) {
    *event = new std::chrono::steady_clock::time_point();
    return ACL_SUCCESS;
}
inline aclError aclrtDestroyEvent(aclrtEvent event) {
    delete static_cast<std::chrono::steady_clock::time_point *>(event);
    return ACL_SUCCESS;
}
inline aclError aclrtRecordEvent(aclrtEvent event, aclrtStream) {
    *static_cast<std::chrono::steady_clock::time_point *>(event) = std::chrono::steady_clock::now();
    return ACL_SUCCESS;
}
inline aclError aclrtSynchronizeEvent(aclrtEvent) { return ACL_SUCCESS; }
inline aclError aclrtStreamWaitEvent(aclrtStream, aclrtEvent) { return ACL_SUCCESS; }
inline aclError aclrtEventElapsedTime(float *milliseconds, aclrtEvent start, aclrtEvent end) {
    const auto time = [](aclrtEvent event) { return *static_cast<std::chrono::steady_clock::time_point *>(event); };
    *milliseconds = std::chrono::duration<float, std::milli>(time(end) - time(start)).count();
    return ACL_SUCCESS;
}

/* A prefetch changes no value. */
inline aclError aclrtCmoAsync(void *, std::size_t, aclrtCmoType, aclrtStream) { return ACL_SUCCESS; }

/* The value of a 16-bit float. */
inline float aclFloat16ToFloat(aclFloat16 bits) {
    const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x8000) << 16;
    const std::uint32_t magnitude = bits & 0x7fff;
    std::uint32_t wide = 0;
    if (magnitude >= 0x7c00) {
        wide = 0x7f800000 | (magnitude & 0x3ff) << 13;
    } else if (magnitude >= 0x400) {
        wide = (magnitude << 13) + (112u << 23);
    } else {
        const float small = static_cast<float>(magnitude) / 16777216.0f;
        std::memcpy(&wide, &small, sizeof wide);
    }
    wide |= sign;
    float value = 0;
    std::memcpy(&value, &wide, sizeof value);
    return value;
}

#endif
