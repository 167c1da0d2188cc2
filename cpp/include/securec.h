/* Functions on memory and text that are told the size of their destination, which host programs include. What does not fit is refused: the
   destination is cleared, and the result is an error. */
#ifndef PTO_SECUREC_H
#define PTO_SECUREC_H

#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

typedef int errno_t;

#ifndef EOK
#define EOK 0
#endif

/* The destination was cleared: errors of the C library with a bit of their own. */
#define PTO_SECUREC_CLEARED 128
#ifndef EINVAL_AND_RESET
#define EINVAL_AND_RESET (EINVAL | PTO_SECUREC_CLEARED)
#endif
#ifndef ERANGE_AND_RESET
#define ERANGE_AND_RESET (ERANGE | PTO_SECUREC_CLEARED)
#endif

/* Copies bytes, which may overlap. */
static inline errno_t memmove_s(void *destination, size_t capacity, const void *source, size_t bytes) {
    if (destination == NULL || capacity == 0) {
        return destination == NULL ? EINVAL : ERANGE;
    }
    if (source == NULL || bytes > capacity) {
        memset(destination, 0, capacity);
        return source == NULL ? EINVAL_AND_RESET : ERANGE_AND_RESET;
    }
    memmove(destination, source, bytes);
    return EOK;
}

static inline errno_t memcpy_s(void *destination, size_t capacity, const void *source, size_t bytes) {
    return memmove_s(destination, capacity, source, bytes);
}

static inline errno_t memset_s(void *destination, size_t capacity, int value, size_t bytes) {
    if (destination == NULL || capacity == 0) {
        return destination == NULL ? EINVAL : ERANGE;
    }
    /* As much as there is room for is set. */
    memset(destination, value, bytes < capacity ? bytes : capacity);
    return bytes <= capacity ? EOK : ERANGE_AND_RESET;
}

/* Appends at most `length` characters of a text to the first `used` characters of the destination. */
static inline errno_t pto_securec_append(char *destination, size_t capacity, size_t used, const char *source,
                                         size_t length) {
    if (destination == NULL || capacity == 0) {
        return destination == NULL ? EINVAL : ERANGE;
    }
    const char *end = source == NULL ? NULL : (const char *)memchr(source, 0, length);
    const size_t count = end == NULL ? length : (size_t)(end - source);
    if (source == NULL || used >= capacity || count >= capacity - used) {
        destination[0] = 0;
        return source == NULL ? EINVAL_AND_RESET : ERANGE_AND_RESET;
    }
    memmove(destination + used, source, count);
    destination[used + count] = 0;
    return EOK;
}

static inline errno_t strncpy_s(char *destination, size_t capacity, const char *source, size_t length) {
    return pto_securec_append(destination, capacity, 0, source, length);
}
static inline errno_t strcpy_s(char *destination, size_t capacity, const char *source) {
    return strncpy_s(destination, capacity, source, source == NULL ? 0 : strlen(source));
}
static inline errno_t strncat_s(char *destination, size_t capacity, const char *source, size_t length) {
    return pto_securec_append(destination, capacity, destination == NULL ? 0 : strnlen(destination, capacity), source,
                              length);
}
static inline errno_t strcat_s(char *destination, size_t capacity, const char *source) {
    return strncat_s(destination, capacity, source, source == NULL ? 0 : strlen(source));
}

/* Prints at most `length` characters. The result is their count, or -1 if the text is cut off or nothing is written. */
static inline int vsnprintf_s(char *destination, size_t capacity, size_t length, const char *format, va_list values) {
    if (destination == NULL || capacity == 0 || format == NULL) {
        return -1;
    }
    const size_t room = length < capacity ? length + 1 : capacity;
    const int count = vsnprintf(destination, room, format, values);
    if (count < 0 || (size_t)count < room) {
        return count;
    }
    /* A cut that the caller asked for keeps the text. */
    if (length >= capacity) {
        destination[0] = 0;
    }
    return -1;
}
static inline int vsprintf_s(char *destination, size_t capacity, const char *format, va_list values) {
    return vsnprintf_s(destination, capacity, capacity, format, values);
}
static inline int snprintf_s(char *destination, size_t capacity, size_t length, const char *format, ...) {
    va_list values;
    va_start(values, format);
    const int count = vsnprintf_s(destination, capacity, length, format, values);
    va_end(values);
    return count;
}
static inline int sprintf_s(char *destination, size_t capacity, const char *format, ...) {
    va_list values;
    va_start(values, format);
    const int count = vsprintf_s(destination, capacity, format, values);
    va_end(values);
    return count;
}

#endif
