#include "shim/verify/out_of_use.h"

#include <algorithm>

#include "shim/builds/proven.h"
#include "shim/builds/qualified_record.h"
#include "shim/builds/record_place.h"
#include "shim/replay/attempts.h"

namespace nlsh {
namespace {

// Every line that names the one proof names the other.
std::string with_other_proof(std::string records, std::string_view before, std::string_view now) {
    for (size_t at = 0; (at = records.find(before, at)) != records.npos; at += now.size())
        records.replace(at, before.size(), now);
    return records;
}

}  // namespace

std::string put_out_of_use(const ProvenCommand& command) {
    const std::string folder = command.proof.substr(0, command.proof.rfind('/'));
    const auto places = places_to_read();
    const auto place = std::ranges::find(places, folder, &RecordPlace::folder);
    if (place == places.end()) return command.proof + ": no record's place";
    const auto lock = lock_place(*place);
    if (!lock) return folder + ": can't be locked";
    const auto proven = Proven::parse(read_believed(*place, command.proof));
    if (!proven) return command.proof + ": no proof any more";
    const std::string text = proven->without(command.scope).text();
    const std::string name = name_of_proof(text);
    if (auto failure = write_believed(folder + "/" + name, text); !failure.empty()) return failure;
    const std::string records = read_believed(*place, place->file);
    return write_believed(place->file,
                          with_other_proof(records, command.proof.substr(folder.size() + 1), name));
}

}  // namespace nlsh
