// The options of `ip tunnel add | change | delete`: a structure of the kernel's, filled by words.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "parser/ip/command.h"

namespace nlsh {

class TunnelWords {
  public:
    // A change begins from nothing: what no word sets is the tunnel's. Else from the defaults.
    TunnelWords(bool ipv6, bool change);

    Parsed<void> read(ParseContext& context, Arguments arguments);
    // What iproute2 refuses over IPv4 for a tunnel that is only what the words say: a new one, one
    // to delete, whose TTL may be anything.
    Parsed<void> check_new(bool add) const;
    // The same for one that may have more of its own.
    Parsed<void> check_remote() const;
    // A word that isn't a keyword, nor the beginning of one.
    static Parsed<std::string> parse_name(std::string_view word, bool ipv6);

    bool ipv6() const { return ipv6_; }
    const std::string& value() const { return value_; }  // ip_tunnel_parm or ip6_tnl_parm2
    const std::string& mask() const { return mask_; }    // the bits that words have set
    const std::string& name() const { return name_; }
    const std::string& link() const { return link_; }
    std::string_view fallback_device() const { return fallback_; }  // empty: no mode

    struct Option;

  private:
    Parsed<void> take_name(std::string_view word);
    Parsed<void> read_mode(std::string_view word);
    Parsed<void> read_option(const Option& option, ParseContext& context, Arguments& arguments);
    void set(size_t offset, std::string_view bytes);
    template <typename T>
    void set_bits(size_t offset, T bits, bool on);
    template <typename T>
    T at(size_t offset) const;

    bool ipv6_;
    bool change_;
    std::string value_, mask_;
    std::string name_, link_;
    std::string_view fallback_;
};

}  // namespace nlsh
