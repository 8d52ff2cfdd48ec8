#include "parser/ip/traits/proof.h"

#include <fmt/format.h>

#include "parser/ip/options.h"

namespace nlsh {

std::string scope_of(const Options& options, std::string_view summary) {
    std::string scope = fmt::format("{} {}|", options.tool == Tool::ip ? "ip" : "bridge", summary);
    if (options.family != 0) scope += fmt::format(" -f{}", options.family);
    if (options.statistics > 0) scope += options.statistics == 1 ? " -s" : " -s -s";
    if (options.details > 0) scope += " -d";
    const struct {
        bool on;
        std::string_view word;
    } modes[] = {
        {options.json, " -j"},
        {options.json && options.pretty, " -p"},
        {options.oneline, " -o"},
        {options.brief, " -br"},
        {options.numeric, " -N"},
        {options.human, " -h"},
        {options.iec, " -iec"},
        {options.compress_vlans, " -compress"},
        {options.color == ColorMode::always && !options.json, options.dark ? " -c dark" : " -c"},
        {options.all, " -all"},
        {options.echo, " -echo"},
    };
    for (const auto& [on, word] : modes)
        if (on) scope += word;
    return scope;
}

std::string form_of(std::string_view message) {
    std::string form;
    while (!message.empty()) {
        const size_t begin = message.find('"');
        form += message.substr(0, begin);
        if (begin == message.npos) break;
        const size_t end = message.find('"', begin + 1);
        form += '*';
        message = end == message.npos ? "" : message.substr(end + 1);
    }
    for (char& each : form)
        if (each == '\n' || each == '\t') each = ' ';
    return form;
}

}  // namespace nlsh
