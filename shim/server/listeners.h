// The listening sockets: one file for each processor, held by one server at a time.
#pragma once

#include <expected>
#include <string>
#include <vector>

#include "backend/descriptor.h"

namespace nlsh {

// Who may connect, and how many; whether they are served is another question (peer.h).
struct SocketOwner {
    unsigned mode = 0600;    // of the sockets; never anything for others
    std::string group = {};  // a name or a number; empty: root's
    int backlog = 4096;      // connections that may wait on each; beyond, connect fails
};

struct ListeningSocket {
    Descriptor socket;
    int processor;
    bool inherited = false;  // the service manager's: it outlives this server
};

class Listeners {
  public:
    // The error says why the server can't start. Files of a dead server are replaced. inherited: of
    // the service manager, which listens on PREFIX.0 or more of them for us.
    static std::expected<Listeners, std::string> open(const std::string& prefix,
                                                      const SocketOwner& owner,
                                                      std::vector<Descriptor> inherited = {});
    // How many open() makes.
    static unsigned number();
    Listeners(Listeners&&) = default;
    ~Listeners();

    const std::vector<ListeningSocket>& all() const { return listeners_; }
    // Wakes everybody who accepts on them, for good, and removes the files. Calls that wait in an
    // inherited socket stay there for the next server.
    void close();
    // Of a server that has died, by who has its descriptors: all are closed, so that its successor
    // starts and callers don't wait. The files stay.
    void abandon();

  private:
    Listeners() = default;
    std::vector<ListeningSocket> listeners_;
    std::vector<std::string> files_;
    Descriptor lock_;
};

}  // namespace nlsh
