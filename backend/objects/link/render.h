// Prints links as `ip link show` and `ip address show` do.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "backend/context.h"
#include "backend/names/devices.h"
#include "backend/net/attributes.h"
#include "backend/objects/link/query.h"
#include "backend/objects/netns/names.h"
#include "backend/render/printer.h"
#include "parser/ip/newer_kernel.h"

namespace nlsh {

// The command that prints a link. `ip -6 address show` of all links reads an AF_INET6 link dump,
// which has fewer attributes; nlsh reads the full dump and hides the rest.
enum class LinkView : uint8_t { link, address, address_inet6, monitor };

// A link's attributes, without those that the view hides.
class LinkAttributes {
  public:
    LinkAttributes(const nlmsghdr& message, LinkView view)
        : table_(attribute_bytes<ifinfomsg>(message)), view_(view) {}
    Attribute operator[](uint16_t type) const;
    // Whether the link's line names a namespace, which needs NetnsIds.
    bool name_a_namespace() const {
        return (*this)[IFLA_LINK_NETNSID] || (*this)[IFLA_NEW_NETNSID];
    }

  private:
    Attributes<newer::link_max> table_;
    LinkView view_;
};

// Lives as long as one command.
class LinkPrinter {
  public:
    LinkPrinter(Context& context, Channel& channel, Printer& printer, LinkView view)
        : context_(context),
          channel_(channel),
          printer_(printer),
          view_(view),
          names_(channel),
          namespaces_(channel) {}

    // Remembers a link of a dump, so that its name and flags need no look-up later.
    void learn(const nlmsghdr& message);
    // For a monitor: the link has gone.
    void forget(const nlmsghdr& message);
    // Whether print() would have to ask the kernel, which is impossible during a dump.
    bool needs_lookup(const nlmsghdr& message);

    // Whether the device below is known to be down.
    bool lower_is_down(const LinkAttributes& link);

    // Prints the link up to the newline before `ip address`'s addresses, or its keys in JSON, whose
    // object the caller opens and closes. With -br: name and state; in the link view the whole
    // line.
    void print(const nlmsghdr& message);
    // -s: prints whole lines after the addresses, or JSON stats64. The link view calls this itself.
    void print_statistics(const nlmsghdr& message);

    DeviceNames& names() { return names_; }
    NetnsIds& namespaces() { return namespaces_; }

  private:
    struct Link {
        const ifinfomsg& header;
        LinkAttributes attributes;
    };
    void brief(const Link& link);
    void first_line(const Link& link);
    std::string full_name(const Link& link);
    void name(const Link& link, std::string_view after);
    void flags(const Link& link);
    void event(const Link& link);
    // render_details.cpp:
    void hardware_line(const Link& link);
    void namespace_number(std::string_view key, std::string_view before, int32_t number);
    void lower_namespace(const Link& link);
    void details(const Link& link);
    void kind(const Link& link);
    void after_details(const Link& link);
    bool shows_hardware() const;
    // Why the link can't be printed exactly; nothing: it can.
    std::optional<std::string_view> unprintable(const Link& link);

    Context& context_;
    Channel& channel_;
    Printer& printer_;
    LinkView view_;
    DeviceNames names_;
    NetnsIds namespaces_;
    std::unordered_map<uint32_t, uint32_t> flags_;  // of known links, by ifindex
};

// Dumps links in the kernel's order. Gives each one as soon as all that print() needs is known.
// `give` returns false to stop.
Verdict dump_links(Channel& channel, Message& request, LinkPrinter& links,
                   const Channel::Receive& give);

}  // namespace nlsh
