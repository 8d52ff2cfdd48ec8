#include "backend/objects/link/words/kind.h"

#include <fmt/format.h>
#include <linux/if_link.h>

#include "parser/ip/refusal.h"
#include "parser/try.h"

namespace nlsh {

const LinkKind* LinkKinds::find(std::string_view name) const {
    const auto found = std::ranges::find(kinds, name, &LinkKind::name);
    return found == kinds.end() ? nullptr : *found;
}

const LinkKind* LinkKinds::find_slave(std::string_view master) const {
    const auto found = std::ranges::find_if(kinds, [&](const LinkKind* kind) {
        constexpr std::string_view slave = "_slave";
        return kind->name.size() == master.size() + slave.size() &&
               kind->name.starts_with(master) && kind->name.ends_with(slave);
    });
    return found == kinds.end() ? nullptr : *found;
}

namespace {

// For a kind without options.
Parsed<void> read_no_options(const LinkKind& kind, Arguments& arguments) {
    if (arguments.empty()) return {};
    const Traits& traits = arguments.traits();
    const auto is_help = [](const std::string& word) { return matches(word, "help"); };
    if (traits.has(Trait::kinds_refuse_garbage)) {
        const std::string_view word = arguments.peek();
        if (is_help(std::string(word))) return declined("link: help");
        return refused(
            fmt::format("Garbage instead of arguments \"{} ...\". Try \"ip link help\".\n", word),
            1);
    }
    if (!traits.lacks(Trait::kinds_refuse_garbage) || !kind.skips_words)
        return declined("link: words after a type without options");
    if (std::ranges::any_of(arguments.rest(), is_help)) return declined("link: help");
    return {};
}

}  // namespace

Parsed<LinkAttribute> parse_link_info(const ParseContext& context, bool create,
                                      Arguments& arguments) {
    const auto name = TRY(arguments.value("type"));
    LinkNest info;
    info.attributes.push_back({IFLA_INFO_KIND, std::string(name)});
    if (arguments.empty()) return LinkAttribute{IFLA_LINKINFO, std::move(info)};

    // An unknown kind may have options, which only the real ip can read.
    const LinkKind* kind = context.kinds.find(name);
    if (kind == nullptr) return declined("link: options of this type are not native");
    OptionScope scope(context, create);
    if (kind->rows.empty()) {
        TRY(read_no_options(*kind, arguments));
    } else {
        auto read = read_options(scope, kind->rows, arguments);
        if (read && kind->finish != nullptr) read = kind->finish(scope);
        if (!read) {
            const bool asked = !create && kind->asks_first;
            return std::unexpected(asked ? unexplained(read.error()) : read.error());
        }
    }
    const auto data = kind->is_slave() ? IFLA_INFO_SLAVE_DATA : IFLA_INFO_DATA;
    info.attributes.push_back(
        {static_cast<uint16_t>(data), LinkNest{"", std::move(scope.attributes())}});
    return LinkAttribute{IFLA_LINKINFO, std::move(info)};
}

}  // namespace nlsh
