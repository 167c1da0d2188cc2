// Asynchronous transfers by the DMA engine. The machine performs a transfer when it starts, which is one of the orders
// that the engine may choose, and a wait for its event ends at once.
#ifndef PTO_ASYNCHRONOUS_HPP
#define PTO_ASYNCHRONOUS_HPP

#include "pto/communication.hpp"

#include <cstdint>

namespace pto {
namespace detail {

/// An operand that represents an object of the engine by a number.
template <typename T>
struct HandleOperand {
    using Passed = Operand<std::int64_t>::Passed;
    PTO_INST static Passed pass(T object) { return {object.handle}; }
};

/// A session, a transfer and a context of prefetches: objects of the library by their handles.
struct Session {
    std::uint64_t handle;
};
struct Transfer {
    std::uint64_t handle;
};
struct Context {
    std::uint64_t handle;
};

template <>
struct Operand<Session> : HandleOperand<Session> {
    static constexpr const char *text = "!pto.async_session";
};
template <>
struct Operand<Transfer> : HandleOperand<Transfer> {
    static constexpr const char *text = "!pto.async_event";
};
template <>
struct Operand<Context> : HandleOperand<Context> {
    static constexpr const char *text = "!pto.prefetch_async_context";
};

} // namespace detail

namespace comm {
namespace sdma {

/// Bytes of a scratch tile.
inline constexpr int UB_ALIGN_SIZE = 256;
inline constexpr std::uint32_t kSdmaMinTransferBytes = 64;
inline constexpr std::uint32_t kSdmaMaxChannel = 48;
inline constexpr std::uint64_t kDefaultSdmaBlockBytes = 1024 * 1024;
inline constexpr std::uint32_t kAutoChannelGroupIdx = 0xffffffff;

/// Split of transfers by the engine. It changes no value.
struct SdmaBaseConfig {
    std::uint64_t block_bytes = kDefaultSdmaBlockBytes;
    std::uint64_t comm_block_offset = 0;
    std::uint32_t queue_num = 1;
};

} // namespace sdma

/// A series of transfers whose events are awaited together.
struct AsyncSession {
    std::uint64_t handle = 0;
};

/// The completion of a transfer and of all earlier ones of its session.
struct AsyncEvent {
    std::uint64_t handle = 0;
    DmaEngine engine = DmaEngine::SDMA;

    constexpr AsyncEvent() = default;
    constexpr AsyncEvent(std::uint64_t number, DmaEngine by) : handle(number), engine(by) {}

    /// Whether there is a transfer.
    bool valid() const { return handle != 0; }

    /// Waits for it; false without a transfer.
    PTO_INST bool Wait(const AsyncSession &session) const {
        using namespace pto::detail;
        static constexpr pto_form form = pto::detail::form<Transfer, pto::detail::Session>(
            "%result = pto.comm.wait_async_event(%0, %1 : @0, @1) -> i1", 2);
        return call_for<bool>(form, Transfer{handle}, pto::detail::Session{session.handle});
    }

    /// Whether it is complete.
    PTO_INST bool Test(const AsyncSession &session) const {
        using namespace pto::detail;
        static constexpr pto_form form = pto::detail::form<Transfer, pto::detail::Session>(
            "%result = pto.comm.test_async_event(%0, %1 : @0, @1) -> i1", 2);
        return call_for<bool>(form, Transfer{handle}, pto::detail::Session{session.handle});
    }
};

/// Opens a session of the SDMA engine, or of an engine that also has a scratch tile.
template <DmaEngine engine = DmaEngine::SDMA, typename ScratchTile, typename... Settings>
PTO_INST std::enable_if_t<is_tile_data_v<ScratchTile>, bool>
BuildAsyncSession(ScratchTile &scratch, std::uint8_t *workspace, AsyncSession &session, const Settings &...) {
    static constexpr pto_form form = pto::detail::form<ScratchTile, std::uint8_t *>(
        "%result = pto.comm.build_async_session(%0, %1 : @0, @1) -> !pto.async_session", 2);
    session.handle = pto::detail::call_for<std::uint64_t>(form, scratch, workspace);
    return session.handle != 0;
}

/// Opens a session like the overload above, with base settings in braces, which change nothing here.
template <DmaEngine engine = DmaEngine::SDMA, typename ScratchTile>
PTO_INST std::enable_if_t<is_tile_data_v<ScratchTile>, bool>
BuildAsyncSession(ScratchTile &scratch, std::uint8_t *workspace, AsyncSession &session, std::uint32_t,
                  const sdma::SdmaBaseConfig &, std::uint32_t = sdma::kAutoChannelGroupIdx) {
    return BuildAsyncSession<engine>(scratch, workspace, session);
}

/// Opens a session of the RDMA engine, given the number of ranks.
template <DmaEngine engine, typename ScratchTile>
PTO_INST std::enable_if_t<is_tile_data_v<ScratchTile> && engine == DmaEngine::RDMA, bool>
BuildAsyncSession(ScratchTile &scratch, std::uint8_t *workspace, std::uint32_t, AsyncSession &session,
                  std::uint32_t = 0) {
    return BuildAsyncSession<engine>(scratch, workspace, session);
}

/// Opens a session of the URMA engine, which needs no tile.
template <DmaEngine engine>
PTO_INST bool BuildAsyncSession(std::uint8_t *, std::uint32_t, AsyncSession &session) {
    static_assert(engine != DmaEngine::SDMA, "a session of SDMA needs a scratch tile");
    session.handle = 1;
    return true;
}

/// Starts to write a tensor to the memory of another rank: the rank of the destination.
template <DmaEngine engine = DmaEngine::SDMA, typename Dst, typename Src, typename... WaitEvents>
PTO_INST std::enable_if_t<all_events_v<WaitEvents...>, AsyncEvent>
TPUT_ASYNC(Dst &dst, Src &src, const AsyncSession &session, WaitEvents &...events) {
    static constexpr pto_form form = pto::detail::form<Dst, Src, pto::detail::Session>(
        "%result = pto.comm.tput_async(%0, %1, %2 : @0, @1, @2) -> !pto.async_event", 3);
    pto::detail::wait(events...);
    return {pto::detail::call_for<std::uint64_t>(form, dst, src, pto::detail::Session{session.handle}), engine};
}

/// Starts a write like the overload above, with an explicit rank, which is ignored.
template <DmaEngine engine, typename Dst, typename Src, typename... WaitEvents>
PTO_INST std::enable_if_t<all_events_v<WaitEvents...>, AsyncEvent>
TPUT_ASYNC(Dst &dst, Src &src, const AsyncSession &session, std::uint32_t, WaitEvents &...events) {
    return TPUT_ASYNC<engine>(dst, src, session, events...);
}

/// Starts to read a tensor from the memory of another rank: the rank of the source.
template <DmaEngine engine = DmaEngine::SDMA, typename Dst, typename Src, typename... WaitEvents>
PTO_INST std::enable_if_t<all_events_v<WaitEvents...>, AsyncEvent>
TGET_ASYNC(Dst &dst, Src &src, const AsyncSession &session, WaitEvents &...events) {
    static constexpr pto_form form = pto::detail::form<Dst, Src, pto::detail::Session>(
        "%result = pto.comm.tget_async(%0, %1, %2 : @0, @1, @2) -> !pto.async_event", 3);
    pto::detail::wait(events...);
    return {pto::detail::call_for<std::uint64_t>(form, dst, src, pto::detail::Session{session.handle}), engine};
}

/// Starts a read like the overload above, with an explicit rank, which is ignored.
template <DmaEngine engine, typename Dst, typename Src, typename... WaitEvents>
PTO_INST std::enable_if_t<all_events_v<WaitEvents...>, AsyncEvent>
TGET_ASYNC(Dst &dst, Src &src, const AsyncSession &session, std::uint32_t, WaitEvents &...events) {
    return TGET_ASYNC<engine>(dst, src, session, events...);
}

} // namespace comm

/// Context of prefetches: the workspace of the engine, and a session of its own or a shared one.
class PrefetchAsyncContext {
  public:
    PTO_INST explicit PrefetchAsyncContext(std::uint8_t *workspace) : context_(make(workspace)) {
        static constexpr pto_form form = detail::form<detail::Context>(
            "%result = pto.get_prefetch_async_session %0 : @0 -> !pto.async_session", 1);
        session.handle = detail::call_for<std::uint64_t>(form, detail::Context{context_});
    }
    PTO_INST PrefetchAsyncContext(std::uint8_t *workspace, comm::AsyncSession *shared)
        : context_(make(workspace)), shared_(shared) {}

    const comm::AsyncSession &GetSession() const { return shared_ == nullptr ? session : *shared_; }
    std::uint64_t handle() const { return context_; }

    /// The session of its own.
    comm::AsyncSession session;

  private:
    PTO_INST static std::uint64_t make(std::uint8_t *workspace) {
        static constexpr pto_form form = detail::form<std::uint8_t *>(
            "%result = pto.make_prefetch_async_context(%0 : @0) -> !pto.prefetch_async_context", 1);
        return detail::call_for<std::uint64_t>(form, workspace);
    }

    std::uint64_t context_;
    comm::AsyncSession *shared_ = nullptr;
};

/// Starts a prefetch of a tensor into the L2 cache, which changes no value.
template <typename Global, typename... WaitEvents>
PTO_INST std::enable_if_t<is_global_data_v<Global> && all_events_v<WaitEvents...>, comm::AsyncEvent>
TPREFETCH_ASYNC(Global &src, PrefetchAsyncContext &context, WaitEvents &...events) {
    static constexpr pto_form form = detail::form<Global, detail::Context>(
        "%result = pto.tprefetch_async(%0, %1 : @0, @1) -> !pto.async_event", 2);
    detail::wait(events...);
    return {detail::call_for<std::uint64_t>(form, src, detail::Context{context.handle()}), comm::DmaEngine::SDMA};
}

} // namespace pto

#endif
