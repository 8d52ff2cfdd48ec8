// Common parts of the tests of shows with and without a trait.
#pragma once

#include <gtest/gtest.h>
#include <linux/if_link.h>
#include <net/if_arp.h>

#include <string>
#include <vector>

#include "backend/net/scripted_transport.h"
#include "backend/objects/link/kinds/kinds.h"
#include "backend/run.h"
#include "parser/ip/command.h"
#include "parser/ip/traits/traits.h"

namespace nlsh {

using Line = std::vector<std::string>;

inline constexpr const char* fallback = "fallback";

// The part of `text` behind `mark`, without the blank and newline at its end.
inline std::string behind(const std::string& text, std::string_view mark) {
    const size_t at = text.find(mark);
    if (at == text.npos) return text;
    const std::string rest = text.substr(at + mark.size());
    return rest.substr(0, rest.find_last_not_of(" \n") + 1);
}

class TraitsOfShows : public ::testing::Test {
  protected:
    // The output of the words when the kernel answers with these messages.
    std::string shown(Tool tool, const Line& words, const std::vector<Message>& answers) {
        return run_with([&](Context& context) {
            for (const Message& answer : answers)
                kernel.say(answer);
            kernel.say(Message(NLMSG_DONE, NLM_F_MULTI, int32_t{0}));
            auto invocation = parse_invocation(tool, words);
            ASSERT_TRUE(invocation);
            invocation->options.traits = traits;
            const auto command = parse_command(*invocation, words, context.names, link_kinds());
            ASSERT_TRUE(command) << command.error().reason;
            status = run(context, *command);
        });
    }
    // A link's details, behind the mark.
    std::string details(const Message& link, std::string_view mark) {
        return behind(shown(Tool::ip, {"-d", "link", "show"}, {link}), mark);
    }
    // What `print` writes to the context's output.
    template <typename Print>
    std::string run_with(Print print) {
        kernel = {};
        const NameTables names = NameTables::built_in(traits);
        Session session;
        session.set_rtnl(Channel(std::make_unique<ScriptedTransport>(kernel)));
        StringOutput out;
        StringOutput err;
        Context context{.session = session, .names = names, .out = &out, .err = &err};
        print(context);
        return context.fallback ? fallback : out.text + err.text;
    }
    // Sets one trait to each state; the other traits are 6.1.0's.
    template <typename Show>
    void expect(Trait trait, const Show& show, const std::string& before,
                const std::string& since) {
        traits = iproute2_6_1();
        traits.set(trait, false);
        EXPECT_EQ(show(), before);
        traits.set(trait, true);
        EXPECT_EQ(show(), since);
        traits.forget(trait);
        EXPECT_EQ(show(), fallback);
    }

    Traits traits;
    KernelScript kernel;  // of the last command
    int status = 0;       // of the last command
};

template <typename Fill>
void put_nest(Message& message, uint16_t type, Fill fill) {
    const size_t nest = message.begin_nest(type);
    fill();
    message.end_nest(nest);
}

// The link d1, with the attributes that `fill` adds.
template <typename Fill>
Message link_with(Fill fill) {
    ifinfomsg header{};
    header.ifi_type = ARPHRD_ETHER;
    header.ifi_index = 1;
    Message message(RTM_NEWLINK, NLM_F_MULTI, header);
    message.put_string(IFLA_IFNAME, "d1");
    fill(message);
    return message;
}
// The same link of a kind, or as a port of a master of this kind.
template <typename Fill>
Message link_of(const char* kind, bool port, Fill fill) {
    return link_with([&](Message& message) {
        put_nest(message, IFLA_LINKINFO, [&] {
            message.put_string(port ? IFLA_INFO_SLAVE_KIND : IFLA_INFO_KIND, kind);
            put_nest(message, port ? IFLA_INFO_SLAVE_DATA : IFLA_INFO_DATA, [&] { fill(message); });
        });
    });
}

}  // namespace nlsh
