// How often a qualification was begun in vain, so that not every line begins another one.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "backend/descriptor.h"
#include "shim/builds/record_place.h"

namespace nlsh {

// Held while builds are qualified and their records written. Nothing: another process has had it
// for all of `patience`, or the file system has no locks.
std::optional<Descriptor> lock_place(const RecordPlace& place, std::chrono::milliseconds patience);

struct Attempts {
    unsigned number = 0;  // begun without a success
    long last = 0;        // when, in seconds since 1970
    long wait_s() const;  // so long after `last` nothing is begun
};
// Those for these builds (a key is what a record counts for).
Attempts attempts_for(const RecordPlace& place, const std::string& key);
// Whether another attempt may begin now; then it is written down. Of processes that ask at the same
// time one may.
bool claim_attempt(const RecordPlace& place, const std::string& key);
void forget_attempts(const RecordPlace& place);

}  // namespace nlsh
