// A private server for mock and record, which provide the answers.
#pragma once

#include <sys/types.h>

#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "backend/descriptor.h"

namespace nlsh {

struct AskedLine {
    std::string line;
    int connection;  // the socket's namespace is the caller's
    pid_t caller;
};

struct GivenAnswer {
    std::string output;
    std::string error;
    int wait_status = 0;
};

// nullopt: let the caller run the line itself. Called from several threads.
using Answerer = std::function<std::optional<GivenAnswer>(const AskedLine&)>;

// Serves only processes of its own user.
class AnswerServer {
  public:
    explicit AnswerServer(Answerer answerer) : answerer_(std::move(answerer)) {}
    ~AnswerServer();
    AnswerServer(const AnswerServer&) = delete;
    AnswerServer& operator=(const AnswerServer&) = delete;

    // Lets clients connect; start() answers them. False: errno says why.
    bool listen(const std::string& socket_prefix);
    void start();

  private:
    void accept_all();
    void answer(int connection);

    const Answerer answerer_;
    Descriptor socket_;
    std::thread thread_;
    std::mutex mutex_;
    std::condition_variable finished_;
    unsigned running_ = 0;
};

}  // namespace nlsh
