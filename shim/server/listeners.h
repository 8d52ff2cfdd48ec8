// The listening sockets: one file for each processor, held by one server at a time.
#pragma once

#include <expected>
#include <string>
#include <vector>

#include "backend/descriptor.h"

namespace nlsh {

// Which users may connect. peer.h decides which callers the server serves.
struct SocketOwner {
    unsigned mode = 0600;    // of the sockets; without rights for others
    std::string group = {};  // a name or a number; empty: root's
    int backlog = 4096;      // the most connections that wait on each socket; further ones fail
};

struct ListeningSocket {
    Descriptor socket;
    int processor;
    bool inherited = false;  // belongs to the service manager, and outlives this server
};

class Listeners {
  public:
    // Replaces the files of a dead server. inherited: the service manager's listening sockets, at
    // least PREFIX.0. The error says why the server can't start.
    static std::expected<Listeners, std::string> open(const std::string& prefix,
                                                      const SocketOwner& owner,
                                                      std::vector<Descriptor> inherited = {});
    // The number of sockets that open() makes.
    static unsigned number();
    Listeners(Listeners&&) = default;
    ~Listeners();

    const std::vector<ListeningSocket>& all() const { return listeners_; }
    // Ends accept() in all threads and removes the files. Calls that wait in an inherited socket
    // stay there for the next server.
    void close();
    // For the heir: closes all sockets, so that a new server can start and callers don't wait.
    // Leaves the files.
    void abandon();

  private:
    Listeners() = default;
    std::vector<ListeningSocket> listeners_;
    std::vector<std::string> files_;
    Descriptor lock_;
};

}  // namespace nlsh
