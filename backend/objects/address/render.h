// One address as text or JSON.
#pragma once

#include "backend/objects/address/addresses.h"
#include "backend/render/printer.h"

namespace nlsh {

struct AddressRenderer {
    Printer& printer;
    DeviceNames& devices;
    const NameTables& names;
    bool with_device = false;  // as -o does

    // False: a part of it can't be printed exactly.
    bool print(const Address& address) const;

  private:
    void prefix(const Address& address) const;
    bool flags(const Address& address) const;
    bool protocol(const Address& address) const;
    void lifetimes(const Address& address) const;
    void details(const Address& address) const;
};

}  // namespace nlsh
