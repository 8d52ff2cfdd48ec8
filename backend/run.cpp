#include "backend/run.h"

#include <cerrno>
#include <utility>

#include "backend/errors.h"
#include "backend/net/namespace.h"
#include "parser/ip/refusal.h"

namespace nlsh {

namespace {

// On a terminal, where nothing was said.
Traits::Answer usual_color(const Traits& traits, const ColorWishes& wishes) {
    const auto on = traits[Trait::colour_on_terminals];
    const auto obeyed = traits[Trait::no_color_variable];
    if (on != Traits::Answer::yes || !wishes.none || obeyed == Traits::Answer::no) return on;
    return obeyed == Traits::Answer::yes ? Traits::Answer::no : Traits::Answer::unknown;
}

// False: it can't be told whether there are colours.
bool resolve_color(Context& context, const Command& command, Options& options) {
    options.dark = context.colors.dark;
    const bool unsaid = options.color == ColorMode::unsaid;
    if (!unsaid && options.color != ColorMode::automatic) return true;
    const bool refused = command.request.is<RefusedCommand>();  // only to stderr
    if (refused || (!command.is.read_only && !options.echo)) {  // prints nothing
        options.color = ColorMode::never;
        return true;
    }
    const auto terminal = context.out->is_terminal();
    const auto on = !terminal    ? Traits::Answer::unknown
                    : !*terminal ? Traits::Answer::no
                    : unsaid     ? usual_color(options.traits, context.colors)
                                 : Traits::Answer::yes;
    options.color = on == Traits::Answer::yes ? ColorMode::always : ColorMode::never;
    const bool known = on == Traits::Answer::no ||
                       (on == Traits::Answer::yes && !(unsaid && command.lacks_colors()));
    return known || !context.fall_back("colour of a terminal");
}

// All that these ask of the network namespace goes over the session's sockets. Of any other the
// thread has to be there: it reads /proc/net, makes other sockets, or opens devices.
bool goes_by_netlink_alone(RequestType type) {
    switch (type) {
        case RequestType::LinkChange:
        case RequestType::LinkShow:
        case RequestType::AddressChange:
        case RequestType::AddressShow:
        case RequestType::AddressFlush:
        case RequestType::RouteChange:
        case RequestType::RouteShow:
        case RequestType::RouteGet:
        case RequestType::RouteFlush:
        case RequestType::RuleChange:
        case RequestType::RuleShow:
        case RequestType::NeighborChange:
        case RequestType::NeighborShow:
        case RequestType::NeighborFlush:
        case RequestType::BridgeLinkSet:
        case RequestType::BridgeLinkShow:
        case RequestType::FdbChange:
        case RequestType::FdbShow:
        case RequestType::VlanChange:
        case RequestType::VlanShow:
            return true;
        default:
            return false;
    }
}

int run_here(Context& context, const Command& command) {
    Options options = command.options;
    if (!resolve_color(context, command, options)) return 1;
    if (!goes_by_netlink_alone(command.request.type()) && !context.session.enter())
        return cannot_open_socket(context, ENOMEM);
    switch (command.request.type()) {
#define NLSH_CASE(T)     \
    case RequestType::T: \
        return run(context, options, command.request.get<T>());
        NLSH_REQUESTS(NLSH_CASE)
#undef NLSH_CASE
        case RequestType::none:
            break;
    }
    std::unreachable();  // the parser makes no command without a request
}

}  // namespace

int run(Context& context, const Command& command) {
    if (command.netns.empty()) return run_here(context, command);
    if (!context.session.enter()) return cannot_open_socket(context, ENOMEM);  // it isn't told
    const auto stay = NetnsStay::enter(command.netns);
    if (!stay) {
        const auto& [message, reason] = stay.error();
        if (!reason.empty() && context.fall_back(reason)) return 255;
        print_error(context, message);
        return 255;
    }
    Session inside;  // sockets are of the namespace in which they are opened
    std::swap(context.session, inside);
    const int status = run_here(context, command);
    std::swap(context.session, inside);
    return status;
}

}  // namespace nlsh
