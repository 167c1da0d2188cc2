// Collective operations on the tensors of a group of ranks. Groups have a size that is known at run time, so the text of
// an operation is composed when a group of its size and root comes for the first time.
#ifndef PTO_COLLECTIVE_HPP
#define PTO_COLLECTIVE_HPP

#include "pto/communication.hpp"

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <tuple>
#include <vector>

namespace pto {
namespace comm {

/// The tensors of a group, one for each rank, and the rank that is the root.
template <typename GlobalData>
struct ParallelGroup {
    using value_type = GlobalData;

    GlobalData *tensors = nullptr;
    int nranks = 0;
    int rootIdx = 0;

    ParallelGroup() = default;
    ParallelGroup(GlobalData *all, int ranks, int root) : tensors(all), nranks(ranks), rootIdx(root) {}

    static ParallelGroup Create(GlobalData *all, int ranks, int root) { return {all, ranks, root}; }

    int GetSize() const { return nranks; }
    int GetRootIdx() const { return rootIdx; }
    GlobalData &operator[](int rank) { return tensors[rank]; }
    const GlobalData &operator[](int rank) const { return tensors[rank]; }
};

} // namespace comm

namespace detail {

/// A collective operation with its operands as text: `tensor`, then `tiles` tiles, of which the first `own` are not for
/// receiving, then the group.
struct Collective {
    std::string pattern;
    std::vector<const char *> texts;
    pto_form form;

    Collective(const char *name, int own, int tiles, int ranks, const std::string &attributes, const char *tensor,
               const char *tile, const char *member) {
        std::string operands = "%0", types = "@0";
        texts.push_back(tensor);
        const auto add = [&](int from, int count, const char *before, const char *after, const char *type) {
            for (int at = from; at < from + count; ++at) {
                operands += (at == from ? before : ", ") + ("%" + std::to_string(at));
                types += ", @" + std::to_string(at);
                texts.push_back(type);
            }
            operands += count > 0 ? after : "";
        };
        add(1, own, ", ", "", tile);
        add(1 + own, tiles - own, ", recv(", ")", tile);
        add(1 + tiles, ranks, ", group(", ")", member);
        pattern = std::string("pto.comm.") + name + "(" + operands + " : " + types + ") {" + attributes + "}";
        const auto count = static_cast<std::uint32_t>(texts.size());
        form = {pattern.c_str(), texts.data(), count, count};
    }
    Collective(const Collective &) = delete;
};

/// Returns the form of a group of this size. Its address is stable, since the library identifies forms by their
/// addresses.
template <typename Name, typename Tensor, typename Tile, typename Member, int tiles>
const pto_form &collective_form(int ranks, int root, const char *op) {
    using Key = std::tuple<int, int, const char *>;
    static std::map<Key, Collective> forms;
    static std::mutex turn;
    const std::lock_guard<std::mutex> lock(turn);
    const Key key(ranks, root, op);
    auto found = forms.find(key);
    if (found == forms.end()) {
        std::string attributes = "root = " + std::to_string(root) + " : i32";
        if (op != nullptr) {
            attributes = std::string("reduceOp = #pto<reduce_op ") + op + ">, " + attributes;
        }
        found = forms
                    .try_emplace(key, Name::word, Name::own, tiles, ranks, attributes, Operand<Tensor>::text,
                                 Operand<Tile>::text, Operand<Member>::text)
                    .first;
    }
    return found->second.form;
}

/// Calls a collective operation.
template <typename Name, typename Member, typename Tensor, typename... Tiles>
PTO_INST void collective(const char *op, comm::ParallelGroup<Member> &group, Tensor &tensor, Tiles &...tiles) {
    using Tile = std::common_type_t<Tiles...>;
    const pto_form &form =
        collective_form<Name, Tensor, Tile, Member, sizeof...(Tiles)>(group.nranks, group.rootIdx, op);
    const auto whole = Operand<Tensor>::pass(tensor);
    const typename Operand<Tile>::Passed stages[] = {Operand<Tile>::pass(tiles)...};
    std::vector<typename Operand<Member>::Passed> members;
    for (int rank = 0; rank < group.nranks; ++rank) {
        members.push_back(Operand<Member>::pass(group.tensors[rank]));
    }
    std::vector<std::uint64_t> words{whole.word()};
    for (const auto &stage : stages) {
        words.push_back(stage.word());
    }
    for (const auto &member : members) {
        words.push_back(member.word());
    }
    enter(&form, words.data(), nullptr);
    __asm__ volatile("");
}

struct Gather {
    static constexpr const char *word = "tgather";
    static constexpr int own = 0;
};
struct Scatter {
    static constexpr const char *word = "tscatter";
    static constexpr int own = 0;
};
struct Broadcast {
    static constexpr const char *word = "tbroadcast";
    static constexpr int own = 0;
};
struct Reduce {
    static constexpr const char *word = "treduce";
    // The first tile accumulates.
    static constexpr int own = 1;
};

} // namespace detail

namespace comm {

// Each operation goes through one tile, or alternately through two.

#define PTO_COLLECTIVE(NAME, TAG)                                                                                      \
    template <CollEngine engine = CollEngine::AIV, typename Member, typename Tensor, typename Stage,                   \
              typename... WaitEvents>                                                                                  \
    PTO_INST pto::detail::RecordIf<is_tile_data_v<Stage>, WaitEvents...> NAME(                                         \
        ParallelGroup<Member> &group, Tensor &tensor, Stage &stage, WaitEvents &...events) {                           \
        pto::detail::wait(events...);                                                                                  \
        pto::detail::collective<pto::detail::TAG>(nullptr, group, tensor, stage);                                      \
        return {};                                                                                                     \
    }                                                                                                                  \
    template <CollEngine engine = CollEngine::AIV, typename Member, typename Tensor, typename Stage,                   \
              typename... WaitEvents>                                                                                  \
    PTO_INST pto::detail::RecordIf<is_tile_data_v<Stage>, WaitEvents...> NAME(                                         \
        ParallelGroup<Member> &group, Tensor &tensor, Stage &ping, Stage &pong, WaitEvents &...events) {               \
        pto::detail::wait(events...);                                                                                  \
        pto::detail::collective<pto::detail::TAG>(nullptr, group, tensor, ping, pong);                                 \
        return {};                                                                                                     \
    }

/// Collects the tensors of all ranks below each other in the root's.
PTO_COLLECTIVE(TGATHER, Gather)
/// Gives each rank its rows of the root's tensor.
PTO_COLLECTIVE(TSCATTER, Scatter)
/// Gives each rank the root's tensor.
PTO_COLLECTIVE(TBROADCAST, Broadcast)

#undef PTO_COLLECTIVE

/// Combines the tensors of all ranks in the root's; the first tile accumulates.
template <CollEngine engine = CollEngine::AIV, typename Member, typename Tensor, typename Stage, typename... WaitEvents>
PTO_INST pto::detail::RecordIf<is_tile_data_v<Stage>, WaitEvents...>
TREDUCE(ParallelGroup<Member> &group, Tensor &tensor, Stage &accumulator, Stage &stage, ReduceOp op,
        WaitEvents &...events) {
    pto::detail::wait(events...);
    pto::detail::collective<pto::detail::Reduce>(pto::detail::word(op), group, tensor, accumulator, stage);
    return {};
}

/// Combines the tensors of all ranks in the root's, alternately through two tiles.
template <CollEngine engine = CollEngine::AIV, typename Member, typename Tensor, typename Stage, typename... WaitEvents>
PTO_INST pto::detail::RecordIf<is_tile_data_v<Stage>, WaitEvents...>
TREDUCE(ParallelGroup<Member> &group, Tensor &tensor, Stage &accumulator, Stage &ping, Stage &pong, ReduceOp op,
        WaitEvents &...events) {
    pto::detail::wait(events...);
    pto::detail::collective<pto::detail::Reduce>(pto::detail::word(op), group, tensor, accumulator, ping, pong);
    return {};
}

} // namespace comm
} // namespace pto

#endif
