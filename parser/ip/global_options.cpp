#include "parser/ip/global_options.h"

#include <fmt/format.h>
#include <sys/socket.h>

#include <algorithm>

#include "parser/ip/keywords.h"

namespace nlsh {
namespace {

// In the order in which iproute2 tries them. iproute2 knows the words without a handler; nlsh
// declines them.
using Apply = void (*)(Invocation&);
// Takes the option's value; false: decline.
using Read = bool (*)(Invocation&, std::string_view value);

struct GlobalOption {
    std::string_view word;
    Apply apply = nullptr;
    bool exact = false;
    Read read = nullptr;
    std::string_view lacking = {};  // what newer builds call a missing last word
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
    constexpr std::pair<std::string_view, uint8_t> others[] = {
        {"link", AF_PACKET}, {"mpls", AF_MPLS}, {"bridge", AF_BRIDGE}};
    for (const auto& [name, family] : others) {
        if (value != name) continue;
        i.options.family = family;
        return true;
    }
    return read_inet_family(i, value);
}

void set_color(Invocation& i) {
    i.options.color = ColorMode::always;
}

bool is_plain_number(std::string_view value, size_t least_digits) {
    return value.size() >= least_digits && value.size() <= 9 && value.front() != '0' &&
           std::ranges::all_of(value, [](char c) { return c >= '0' && c <= '9'; });
}

bool read_loops(Invocation& i, std::string_view) {
    i.options.loops = true;  // atoi's number matters to flushes only, which fall back
    return true;
}

// A buffer for any message: its size changes no output.
bool read_receive_buffer(Invocation&, std::string_view value) {
    return is_plain_number(value, 5);
}

// A name under /run/netns. iproute2 enters several, one after the other.
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
    {.word = "-loops", .read = read_loops, .lacking = "loop count"},
    {.word = "-family", .read = read_family, .lacking = "family type"},
    {.word = "-4", .apply = set_family<AF_INET>, .exact = true},
    {.word = "-6", .apply = set_family<AF_INET6>, .exact = true},
    {.word = "-0", .apply = set_family<AF_PACKET>, .exact = true},
    {.word = "-M", .apply = set_family<AF_MPLS>, .exact = true},
    {.word = "-B", .apply = set_family<AF_BRIDGE>, .exact = true},
    {.word = "-human-readable", .apply = set<&Options::human>},
    {.word = "-iec", .apply = set<&Options::iec>},
    {.word = "-stats", .apply = count<&Options::statistics>},
    {.word = "-statistics", .apply = count<&Options::statistics>},
    {.word = "-details", .apply = count<&Options::details>},
    {.word = "-resolve"},
    {.word = "-oneline", .apply = set<&Options::oneline>},
    {.word = "-timestamp", .apply = set_timestamp<1>},
    {.word = "-tshort", .apply = set_timestamp<2>},
    {.word = "-Version"},
    {.word = "-force", .apply = set_force},
    {.word = "-batch", .read = read_batch, .lacking = "batch file"},
    {.word = "-brief", .apply = set<&Options::brief>},
    {.word = "-json", .apply = set<&Options::json>},
    {.word = "-pretty", .apply = set<&Options::pretty>},
    {.word = "-rcvbuf", .read = read_receive_buffer, .lacking = "rcvbuf size"},
    {.word = "-color", .apply = set_color},
    {.word = "-help"},
    {.word = "-netns", .read = read_netns},
    {.word = "-Numeric", .apply = set<&Options::numeric>},
    {.word = "-all", .apply = set<&Options::all>},
    {.word = "-echo", .apply = set<&Options::echo>, .exact = true, .since = Trait::echo_option},
};

constexpr GlobalOption bridge_options[] = {
    {.word = "-help"},
    {.word = "-Version"},
    {.word = "-stats", .apply = count<&Options::statistics>},
    {.word = "-statistics", .apply = count<&Options::statistics>},
    {.word = "-details", .apply = count<&Options::details>},
    {.word = "-oneline", .apply = set<&Options::oneline>},
    {.word = "-timestamp", .apply = set_timestamp<1>},
    {.word = "-family", .read = read_inet_family},
    {.word = "-4", .apply = set_family<AF_INET>, .exact = true},
    {.word = "-6", .apply = set_family<AF_INET6>, .exact = true},
    {.word = "-netns", .read = read_netns},
    {.word = "-color", .until = Trait::words_of_5_15},  // -c is compressvlans
    {.word = "-color", .apply = set_color, .since = Trait::words_of_5_15},
    {.word = "-compressvlans", .apply = set<&Options::compress_vlans>},
    {.word = "-force", .apply = set_force},
    {.word = "-json", .apply = set<&Options::json>},
    {.word = "-pretty", .apply = set<&Options::pretty>},
    {.word = "-batch", .read = read_batch},
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

// `-c=never` and the like; iproute2 also takes `-=never`, and `-c=` as always. Only colour options
// have a value after `=`. False: the effect is unknown.
bool take_color_value(Invocation& invocation, std::string_view word) {
    const size_t equals = word.find('=');
    const std::string_view value = word.substr(equals + 1);
    if (!matches(word.substr(0, equals), "-color")) return false;
    if (value.empty()) invocation.options.color = ColorMode::always;
    for (const ColorWord& known : color_words) {
        if (known.word != value) continue;
        invocation.options.color = known.mode;
        return true;
    }
    return value.empty();
}

// If nlsh doesn't know when a build prints colours, it doesn't know the colours, either
// (coloured(), parser/ip/command.h).
bool colors_are_known(const Options& options) {
    const bool wanted = options.color == ColorMode::always || options.color == ColorMode::automatic;
    return !wanted || options.traits[Trait::colour_on_terminals] != Traits::Answer::unknown;
}

// iproute2 enters a namespace, or begins a batch, as soon as it reads the option.
bool is_first_error(const Invocation& invocation) {
    return invocation.netns.empty() && invocation.batch == 0;
}

// iproute2's error for a certainly wrong value.
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

Parsed<Invocation> parse_invocation(Tool tool, Words words, Traits traits) {
    Invocation invocation;
    invocation.options.tool = tool;
    invocation.options.traits = traits;
    if (!invocation.options.traits.lacks(Trait::colour_on_terminals))
        invocation.options.color = ColorMode::unsaid;
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
        const bool lacks = option != nullptr && !option->lacking.empty() && place == words.size() &&
                           words[place - 1] == word;
        if (!taken && lacks && is_first_error(invocation) &&
            invocation.options.traits.has(Trait::option_lacks_value)) {
            return refused(fmt::format("Error: argument \"{}\" is required\n", option->lacking));
        }
        if (!taken) return declined(fmt::format("option {}", word));
    }
    if (!colors_are_known(invocation.options))
        return declined(unknown_trait(traits, Trait::colour_on_terminals));
    return invocation;
}

}  // namespace nlsh
