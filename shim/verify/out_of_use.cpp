#include "shim/verify/out_of_use.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "shim/builds/proven.h"
#include "shim/builds/qualified_record.h"
#include "shim/builds/record_place.h"
#include "shim/replay/attempts.h"

namespace nlsh {
namespace {

void replace_all(std::string& text, std::string_view before, std::string_view now) {
    for (size_t at = 0; (at = text.find(before, at)) != text.npos; at += now.size())
        text.replace(at, before.size(), now);
}

std::set<std::string> proofs_in(std::string_view records) {
    const size_t size = name_of_proof("").size();
    std::set<std::string> names;
    for (size_t at = 0; (at = records.find("=proof-", at)) != records.npos; ++at)
        names.emplace(records.substr(at + 1, size));
    return names;
}

// Empty: done; otherwise the reason.
std::string put_out_of_use(const ProvenCommand& command) {
    const std::string folder = command.proof.substr(0, command.proof.rfind('/'));
    const auto places = places_to_read();
    const auto place = std::ranges::find(places, folder, &RecordPlace::folder);
    if (place == places.end()) return command.proof + ": no record's place";
    const auto lock = lock_place(*place, std::chrono::seconds(1));
    if (!lock) return folder + ": can't be locked";
    const auto known = Proven::parse(read_believed(*place, command.proof));
    if (!known) return command.proof + ": no proof any more";
    std::string records = read_believed(*place, place->file);
    // Another process may have put other commands out of use meanwhile; then the records name
    // another proof of the same rows.
    for (const std::string& name : proofs_in(records)) {
        const auto proven =
            Proven::parse(read_believed(*place, fmt::format("{}/{}", folder, name)));
        if (!proven || !proven->has_rows_of(*known)) continue;
        const std::string text = proven->without(command.scope).text();
        const std::string now = name_of_proof(text);
        if (std::string failure = write_believed(fmt::format("{}/{}", folder, now), text);
            !failure.empty())
            return failure;
        replace_all(records, name, now);
    }
    return write_believed(place->file, records);
}

}  // namespace

std::string put_out_of_use(const std::vector<ProvenCommand>& commands) {
    for (const ProvenCommand& command : commands)
        if (std::string failure = put_out_of_use(command); !failure.empty()) return failure;
    return {};
}

}  // namespace nlsh
