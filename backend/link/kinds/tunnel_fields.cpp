#include "backend/link/kinds/tunnel_fields.h"

#include <arpa/inet.h>
#include <fmt/format.h>

namespace nlsh {

void print_ttl_inherit(const KindOutput& output, const Field&, Attribute value) {
    if (value.u8() != 0) output.printer.text("ttl inherit ");
}

void print_tos(const KindOutput& output, const Field& field, Attribute value) {
    const uint8_t tos = value.u8();
    if (tos == 0) return;
    if (tos == 1 && output.printer.text_mode()) {
        output.printer.text("tos inherit ");
    } else {
        print_hex(output, field, value);
    }
}

void print_df(const KindOutput& output, const Field& field, Attribute value) {
    static constexpr std::string_view words[] = {"unset", "set", "inherit"};
    if (value.u8() >= std::size(words)) {
        output.context.hand_over("unknown df");
    } else if (value.u8() != 0 || output.printer.json()) {
        output.printer.string(field.key, "df ", words[value.u8()], " ");
    }
}

void print_flow_label(const KindOutput& output, const Field& field, Attribute value) {
    const uint32_t label = ntohl(value.u32());
    if (label != 0)
        output.printer.string(field.key, "flowlabel ", fmt::format("{:#x}", label), " ");
}

}  // namespace nlsh
