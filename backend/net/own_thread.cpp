#include "backend/net/own_thread.h"

#include <pthread.h>

#include <clocale>
#include <cstddef>
#include <exception>

namespace nlsh {
namespace {

constexpr size_t stack_size = size_t{1} << 20;  // a program may have set a smaller default

struct Task {
    const std::function<void()>& function;
    locale_t locale;  // the caller's locale: threads start with the process's
    std::exception_ptr failure = {};
};

void* run(void* argument) {
    auto& task = *static_cast<Task*>(argument);
    uselocale(task.locale);
    try {
        task.function();
    } catch (...) {
        task.failure = std::current_exception();
    }
    return nullptr;
}

}  // namespace

bool run_on_own_thread(const std::function<void()>& function) {
    Task task{.function = function, .locale = uselocale(nullptr)};
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes) != 0) return false;
    pthread_attr_setstacksize(&attributes, stack_size);
    pthread_t thread{};
    const bool started = pthread_create(&thread, &attributes, run, &task) == 0;
    pthread_attr_destroy(&attributes);
    if (!started) return false;
    pthread_join(thread, nullptr);
    if (task.failure) std::rethrow_exception(task.failure);
    return true;
}

}  // namespace nlsh
