/* A name under which programs include host functions. */
#ifndef PTO_ACL_ERROR_CODES_RT_ERROR_CODES_H
#define PTO_ACL_ERROR_CODES_RT_ERROR_CODES_H

#include "acl/acl.h"

#endif
