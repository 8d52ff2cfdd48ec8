#include "parser/ip/global_options.h"

#include <fmt/format.h>
#include <sys/socket.h>

#include <algorithm>

#include "parser/ip/keywords.h"

namespace nlsh {
namespace {

// In the order in which iproute2 tries them. A word without a handler is known to
// the real one and declined here.
using Apply = void (*)(Invocation&);
// Takes the option's value; false: decline.
using Read = bool (*)(Invocation&, std::string_view value);

struct GlobalOption {
    std::string_view word;
    Apply apply;
    bool exact = false;
    Read read = nullptr;
    Trait since = Trait::always;
    Trait until = Trait::never;
};

template <uint8_t Family>
void set_family(Invocation& i) {
    i.options.family = Family;
}

template <auto Member>
void set(Invocation& i) {
    i.options.*Member = true;
}

template <auto Member>
void count(Invocation& i) {
    ++(i.options.*Member);
}

template <uint8_t Form>
void set_timestamp(Invocation& i) {
    i.options.timestamp = Form;
}

void set_force(Invocation& i) {
    i.force = true;
}

bool read_inet_family(Invocation& i, std::string_view value) {
    if (value != "inet" && value != "inet6") return false;
    i.options.family = value == "inet" ? AF_INET : AF_INET6;
    return true;
}

bool read_family(Invocation& i, std::string_view value) {
    if (value != "link" && value != "mpls") return read_inet_family(i, value);
    i.options.family = value == "link" ? AF_PACKET : AF_MPLS;
    return true;
}

void set_color(Invocation& i) {
    i.options.color = ColorMode::always;
}

bool is_plain_number(std::string_view value, size_t least_digits) {
    return value.size() >= least_digits && value.size() <= 9 && value.front() != '0' &&
           std::ranges::all_of(value, [](char c) { return c >= '0' && c <= '9'; });
}

bool read_loops(Invocation& i, std::string_view) {
    i.options.loops = true;  // atoi's number matters to flushes only, which are handed over
    return true;
}

// A buffer that holds any message: what is shown doesn't depend on it.
bool read_receive_buffer(Invocation&, std::string_view value) {
    return is_plain_number(value, 5);
}

// A name under /run/netns; of several the real one enters one after the other.
bool read_netns(Invocation& i, std::string_view value) {
    if (!i.netns.empty() || value.empty() || value.contains('/') || value.starts_with('.')) {
        return false;
    }
    i.netns = value;
    return true;
}

bool read_batch(Invocation& i, std::string_view) {
    return i.batch == 0;
}

constexpr GlobalOption ip_options[] = {
    {"-loops", nullptr, false, read_loops},
    {"-family", nullptr, false, read_family},
    {"-4", set_family<AF_INET>, true},
    {"-6", set_family<AF_INET6>, true},
    {"-0", set_family<AF_PACKET>, true},
    {"-M", set_family<AF_MPLS>, true},
    {"-B", nullptr, true},
    {"-human-readable", set<&Options::human>},
    {"-iec", set<&Options::iec>},
    {"-stats", count<&Options::statistics>},
    {"-statistics", count<&Options::statistics>},
    {"-details", count<&Options::details>},
    {"-resolve", nullptr},
    {"-oneline", set<&Options::oneline>},
    {"-timestamp", set_timestamp<1>},
    {"-tshort", set_timestamp<2>},
    {"-Version", nullptr},
    {"-force", set_force},
    {"-batch", nullptr, false, read_batch},
    {"-brief", set<&Options::brief>},
    {"-json", set<&Options::json>},
    {"-pretty", set<&Options::pretty>},
    {"-rcvbuf", nullptr, false, read_receive_buffer},
    {"-color", set_color},
    {"-help", nullptr},
    {"-netns", nullptr, false, read_netns},
    {"-Numeric", set<&Options::numeric>},
    {"-all", set<&Options::all>},
    {"-echo", set<&Options::echo>, true},
};

constexpr GlobalOption bridge_options[] = {
    {"-help", nullptr},
    {"-Version", nullptr},
    {"-stats", count<&Options::statistics>},
    {"-statistics", count<&Options::statistics>},
    {"-details", count<&Options::details>},
    {"-oneline", set<&Options::oneline>},
    {"-timestamp", set_timestamp<1>},
    {"-family", nullptr, false, read_inet_family},
    {"-4", set_family<AF_INET>, true},
    {"-6", set_family<AF_INET6>, true},
    {"-netns", nullptr, false, read_netns},
    {"-color", set_color},
    {"-compressvlans", set<&Options::compress_vlans>},
    {"-force", set_force},
    {"-json", set<&Options::json>},
    {"-pretty", set<&Options::pretty>},
    {"-batch", nullptr, false, read_batch},
};

Parsed<const GlobalOption*> find_option(const Options& options, std::string_view word) {
    const std::span<const GlobalOption> table =
        options.tool == Tool::ip ? std::span<const GlobalOption>(ip_options) : bridge_options;
    return find_row(table, options.traits, word);
}

struct ColorWord {
    std::string_view word;
    ColorMode mode;
};
constexpr ColorWord color_words[] = {
    {"always", ColorMode::always}, {"auto", ColorMode::automatic}, {"never", ColorMode::never}};

// `-c=never` and the like, which no other option has: even `-=never`, and `-c=` for always. False:
// not one that we know the effect of.
bool take_color_value(Invocation& invocation, std::string_view word) {
    const size_t equals = word.find('=');
    const std::string_view value = word.substr(equals + 1);
    const auto option = find_option(invocation.options, word.substr(0, equals));
    if (!option || *option == nullptr || (*option)->word != "-color") return false;
    for (const ColorWord& known : color_words) {
        if (known.word != value) continue;
        invocation.options.color = known.mode;
        return true;
    }
    return value.empty();
}

// Namespaces are entered, and batches begun, where their options stand.
bool is_first_error(const Invocation& invocation) {
    return invocation.netns.empty() && invocation.batch == 0;
}

// What iproute2 says of a value that is none for sure.
Decline bad_option_value(const GlobalOption& option, Tool tool, std::string_view value) {
    constexpr std::string_view families[] = {"link", "bridge", "mpls", "any"};
    if (option.word == "-family" && value == "help") return {};  // asks for the usage
    const bool letters =
        !value.empty() && std::ranges::all_of(value, [](char c) { return c >= 'a' && c <= 'z'; });
    if (option.word == "-family" && letters &&
        (tool == Tool::bridge || std::ranges::find(families, value) == std::end(families))) {
        return refused(
                   fmt::format("Error: argument \"{}\" is wrong: invalid protocol family\n", value))
            .error();
    }
    if (option.word == "-rcvbuf" && letters)
        return refused(fmt::format("Invalid rcvbuf size '{}'\n", value)).error();
    return {};
}

}  // namespace

Parsed<Invocation> parse_invocation(Tool tool, Words words) {
    Invocation invocation;
    invocation.options.tool = tool;
    size_t& place = invocation.object;
    while (place < words.size() && words[place].starts_with('-')) {
        const std::string& word = words[place++];
        if (word == "--") break;
        // `-` alone matches nothing; `--word` is `-word`.
        const bool twice = word.size() > 2 && word[1] == '-';
        const bool known = word.size() > 1;
        const GlobalOption* option = nullptr;
        if (known) {
            const std::string_view name = std::string_view(word).substr(twice ? 1 : 0);
            option = TRY(find_option(invocation.options, name));
        }
        bool taken = false;
        if (option != nullptr && option->read != nullptr && place < words.size()) {
            taken = option->read(invocation, words[place]);
            if (!taken && is_first_error(invocation))
                if (auto refusal = bad_option_value(*option, tool, words[place]);
                    !refusal.message.empty())
                    return std::unexpected(std::move(refusal));
            if (option->read == read_batch) invocation.batch = place;
            ++place;
        } else if (option != nullptr && option->apply != nullptr) {
            option->apply(invocation);
            taken = true;
        } else if (option == nullptr && known && word.contains('=')) {
            taken = take_color_value(invocation, word);
        }
        if (!taken && option == nullptr && known && !twice && is_first_error(invocation)) {
            return refused(fmt::format("Option \"{}\" is unknown, try \"{}help\".\n", word,
                                       tool == Tool::ip ? "ip -" : "bridge "));
        }
        const bool no_value =
            option != nullptr && option->read == read_netns && place == words.size();
        if (!taken && no_value && words[place - 1] == word && is_first_error(invocation)) {
            return refused("Cannot open network namespace \"(null)\": No such file or directory\n");
        }
        if (!taken) return declined(fmt::format("option {}", word));
    }
    return invocation;
}

}  // namespace nlsh
