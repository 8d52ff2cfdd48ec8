#include "backend/run.h"

#include <cerrno>
#include <utility>

#include <fmt/format.h>

#include "backend/errors.h"
#include "backend/net/namespace.h"
#include "backend/net/own_thread.h"
#include "parser/ip/refusal.h"

namespace nlsh {
namespace {

// Whether a build colours by default, on a terminal.
Traits::Answer usual_color(const Traits& traits, const ColorWishes& wishes) {
    const auto on = traits[Trait::colour_on_terminals];
    const auto obeyed = traits[Trait::no_color_variable];
    if (on != Traits::Answer::yes || !wishes.none || obeyed == Traits::Answer::no) return on;
    return obeyed == Traits::Answer::yes ? Traits::Answer::no : Traits::Answer::unknown;
}

// Newer builds assume a dark background unless $COLORFGBG says that it is light.
void choose_palette(Context& context, Options& options) {
    options.bright_inet6 = context.has(options, Trait::dark_palette);
    options.dark = options.bright_inet6 ? !context.colors.light : context.colors.dark;
}

// False: nlsh can't tell whether iproute2 would use colours.
bool resolve_color(Context& context, const Command& command, Options& options) {
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

// For an unknown build, a show falls back at an unproven field.
class ProvenShow final : public PrintWatch {
  public:
    ProvenShow(Context& context, const Proof& proof, std::string scope)
        : context_(context), proof_(proof), scope_(std::move(scope)) {}
    void printed(std::string_view key) override {
        if (key == last_) return;
        last_ = key;
        if (!proof_.prints(scope_, key))
            context_.fall_back(fmt::format("{} isn't proven of this iproute2: {}", key, scope_));
    }

  private:
    Context& context_;
    const Proof& proof_;
    std::string scope_;
    std::string last_;
};

int run_request(Context& context, const Options& options, const Command& command);

int run_here(Context& context, const Command& command) {
    Options options = command.options;
    if (!resolve_color(context, command, options)) return 1;
    const bool prints = command.is.read_only || options.echo;
    if (prints && options.color == ColorMode::always && !options.json)
        choose_palette(context, options);
    const Proof* proof = options.traits.proof();
    if (proof == nullptr) return run_request(context, options, command);
    ProvenShow watch(context, *proof, scope_of(options, command.summary));
    options.watch = &watch;
    return run_request(context, options, command);
}

int run_request(Context& context, const Options& options, const Command& command) {
    if (!goes_by_netlink_alone(command.request.type()) && !context.session.enter()) {
        context.fall_back("the network namespace can't be entered");
        return cannot_open_socket(context, ENOMEM);
    }
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

// A socket belongs to the namespace in which it was opened. While this object lives, the session
// opens new sockets. Afterwards the session gets its old ones back, even if memory runs out.
class FreshSession {
  public:
    explicit FreshSession(Session& session) : session_(session) { std::swap(session_, fresh_); }
    ~FreshSession() { std::swap(session_, fresh_); }
    FreshSession(const FreshSession&) = delete;
    FreshSession& operator=(const FreshSession&) = delete;

  private:
    Session& session_;
    Session fresh_;
};

// Moves the calling thread and doesn't move it back.
int run_in_netns(Context& context, const Command& command) {
    if (!command.netns_file.empty()) {
        if (!enter_netns_file(command.netns_file)) {
            context.fall_back("nsenter: the namespace can't be entered");
            return 1;
        }
    } else if (const auto entered = enter_netns(command.netns); !entered) {
        const auto& [message, reason] = entered.error();
        if (!reason.empty() && context.fall_back(reason)) return 255;
        print_error(context, message);
        return 255;
    }
    const FreshSession fresh(context.session);
    return run_here(context, command);
}

}  // namespace

int run(Context& context, const Command& command) {
    if (!command.enters_netns()) return run_here(context, command);
    if (!context.session.enter())
        return cannot_open_socket(context, ENOMEM);  // the reason isn't known
    int status = 0;
    const bool ran = run_on_own_thread([&] { status = run_in_netns(context, command); });
    if (ran || context.fall_back("-netns: no thread")) return status;
    return cannot_open_socket(context, EAGAIN);
}

}  // namespace nlsh
