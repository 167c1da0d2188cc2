/* Functions of the runtime that kernels and host programs use. They have no effect: streams are empty, and the address of flags between
   cores is needed by no flag. Programs that declare them themselves find them, since `pto/pto-inst.hpp` and `acl/acl.h` include this file. */
#ifndef PTO_RUNTIME_FUNCTIONS_H
#define PTO_RUNTIME_FUNCTIONS_H

#include <cstdint>

typedef std::int32_t rtError_t;
typedef void *rtStream_t;

extern "C" {

inline rtError_t rtGetC2cCtrlAddr(std::uint64_t *address, std::uint32_t *bytes) {
    // Not null, which programs take for a failure.
    static std::uint64_t flags = 0;
    *address = reinterpret_cast<std::uint64_t>(&flags);
    *bytes = sizeof flags;
    return 0;
}

inline rtError_t rtSetDevice(std::int32_t) { return 0; }

inline rtError_t rtStreamCreate(rtStream_t *stream, std::int32_t) {
    static char only = 0;
    *stream = &only;
    return 0;
}
inline rtError_t rtStreamDestroy(rtStream_t) { return 0; }

} // extern "C"

#endif
