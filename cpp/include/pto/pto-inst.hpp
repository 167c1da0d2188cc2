// All that kernels with PTO tile instructions need. The other headers under the names of kernels forward to this one.
#ifndef PTO_PTO_INST_HPP
#define PTO_PTO_INST_HPP

#include "pto/keywords.hpp"

#include "pto/constants.hpp"
#include "pto/enumerations.hpp"
#include "pto/formats.hpp"

#include "pto/tensor.hpp"
#include "pto/tile.hpp"
#include "pto/conv_tile.hpp"
#include "pto/traits.hpp"

#include "pto/core.hpp"
#include "pto/core_sync.hpp"
#include "pto/event.hpp"

#include "pto/asynchronous.hpp"
#include "pto/communication.hpp"
#include "pto/convert.hpp"
#include "pto/convolution.hpp"
#include "pto/implementation.hpp"
#include "pto/intrinsics.hpp"
#include "pto/irregular.hpp"
#include "pto/memory.hpp"
#include "pto/moves.hpp"
#include "pto/place.hpp"
#include "pto/quantize.hpp"
#include "pto/queue.hpp"
#include "pto/queue_convert.hpp"
#include "pto/syncall.hpp"
#include "pto/tile_queue.hpp"
#include "pto/windows.hpp"

#include "pto/launch.hpp"
#include "pto/multi_core.hpp"
#include "pto/ranks.hpp"
#include "pto/refused.hpp"

#include "runtime/functions.h"

#endif
