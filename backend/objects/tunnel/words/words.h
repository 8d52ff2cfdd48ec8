// The options of `ip tunnel add | change | delete`: words fill one of the kernel's structures.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

#include "parser/ip/command.h"

namespace nlsh {

class TunnelWords {
  public:
    // A change starts empty, and keeps what no word sets. Otherwise it starts from the defaults.
    TunnelWords(const ParseContext& context, bool change);

    Parsed<void> read(Arguments arguments);
    // iproute2's refusals over IPv4 for a tunnel that only the words describe: a new one, or one to
    // delete, whose TTL may be anything.
    Parsed<void> check_new(bool add) const;
    // The same for an existing tunnel, which may have more settings.
    Parsed<void> check_remote() const;
    // A tunnel's name. Declines keywords and abbreviations.
    static Parsed<std::string> parse_name(std::string_view word, bool ipv6);

    bool ipv6() const { return ipv6_; }
    const std::string& value() const { return value_; }  // ip_tunnel_parm or ip6_tnl_parm2
    const std::string& mask() const { return mask_; }    // the bits that words have set
    const std::string& name() const { return name_; }
    const std::string& link() const { return link_; }
    std::string_view fallback_device() const { return fallback_; }  // empty: no mode

  private:
    // A row in options.cpp.
    struct Option {
        std::string_view word;
        Parsed<void> (TunnelWords::*read)(const Option&, std::string_view value);
        bool alone = false;  // without a value
        size_t place = 0;    // offset in the structure
        uint32_t bits = 0;   // sets these bits there, or among the flags of these directions:
        bool comes_in = false;
        bool goes_out = false;
    };
    static std::span<const Option> both_options();
    static std::span<const Option> ipv4_options();
    static std::span<const Option> ipv6_options();
    static const Option* find_option(std::string_view word, bool ipv6);

    Parsed<void> read_mode(const Option&, std::string_view word);
    Parsed<void> read_name(const Option&, std::string_view word);
    Parsed<void> read_link(const Option&, std::string_view word);
    Parsed<void> read_key(const Option&, std::string_view word);
    Parsed<void> read_flag(const Option&, std::string_view word);
    Parsed<void> read_address(const Option&, std::string_view word);
    Parsed<void> read_ttl(const Option&, std::string_view word);
    Parsed<void> read_tos(const Option&, std::string_view word);
    Parsed<void> read_traffic_class(const Option&, std::string_view word);
    Parsed<void> read_flow_label(const Option&, std::string_view word);
    Parsed<void> read_encap_limit(const Option&, std::string_view word);
    Parsed<void> read_dscp(const Option&, std::string_view word);
    Parsed<void> read_discovery(const Option&, std::string_view word);
    Parsed<void> read_local_remote(const Option&, std::string_view word);
    Parsed<uint32_t> parse_ds_field(std::string_view word) const;
    std::unexpected<Decline> bad(Decline decline, std::string_view word,
                                 const char* complaint) const;
    void set(size_t offset, std::string_view bytes);
    template <typename T>
    void set_bits(size_t offset, T bits, bool on);
    template <typename T>
    T at(size_t offset) const;

    const NameTables& names_;
    Traits traits_;
    bool ipv6_;
    bool change_;
    std::string value_, mask_;
    std::string name_, link_;
    std::string_view fallback_;
};

template <typename T>
T TunnelWords::at(size_t offset) const {
    T value;
    std::memcpy(&value, value_.data() + offset, sizeof value);
    return value;
}

template <typename T>
void TunnelWords::set_bits(size_t offset, T bits, bool on) {
    T known;
    std::memcpy(&known, mask_.data() + offset, sizeof known);
    const T value = static_cast<T>(on ? at<T>(offset) | bits : at<T>(offset) & ~bits);
    known = static_cast<T>(known | bits);
    std::memcpy(value_.data() + offset, &value, sizeof value);
    std::memcpy(mask_.data() + offset, &known, sizeof known);
}

}  // namespace nlsh
