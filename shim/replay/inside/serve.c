// Runs main() again and again, each time against another tape, in a child.
//
// Descriptor 3 is a file of tapes (tape.h; the item `r`, and `d` for blobs), 5 says the numbers of
// those that are wanted (32 bits of this machine's order; tapes may be added to the file), 4 takes
// the results:
//   "ready\n"
//   "NUMBER VERDICT STATUS OUT ERR\n" and so many bytes, for each process of this tool
//   "end\n" for the number 0xffffffff
// It stops after too many processes that hung, and if a call fails.
// VERDICT is `same`, or what differs first: `entered` (how it enters a namespace, before it asks
// anything there), `asked`, `status`, `output`, `hung`, `crashed`. Output is given of a tape with
// the item `p` alone.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "shim/replay/inside/calls.h"

enum { TAPES = 3, RESULTS = 4, WANTED = 5, WORDS_MAX = 256, BLOBS_MAX = 4096 };
// Of one process: a line takes some milliseconds of the processor, but a busy machine gives a niced
// process little of it. Then of all together.
enum { PROCESSOR_SECONDS = 1, SECONDS = 8, HUNG_MAX = 3, ALL_PROCESSOR_SECONDS = 120 };
// A process may write so much more than was recorded.
enum { MORE_OUTPUT = 256 << 10 };

struct process {
    struct item words, out, err;
    uint32_t status, sends, calls;
    int spoilt, wants_output, is_ours, is_merged;
    int enters;  // a namespace, before it asks anything
};

struct result {
    const char* verdict;
    int status;
    size_t sizes[2];
};

static int is_namespace(const struct item* file) {
    if (file->size < 4) return 0;
    const char* path = (const char*)file->bytes + 4;
    return memmem(path, strnlen(path, file->size - 4), "/netns/", strlen("/netns/")) != NULL;
}

static struct process read_process(const struct item* tape) {
    struct process process = {.spoilt = 1};
    struct item item;
    int opened = 0;
    for (size_t place = 0; next_item(tape->bytes, tape->size, &place, &item);) {
        switch (item.kind) {
            case 'a':
                process.words = item;
                process.is_ours = item.size > 0 && item.bytes[item.size - 1] == 0;
                break;
            case 'o':
                process.out = item;
                break;
            case 'x':
                process.err = item;
                break;
            case 's':
                process.status = number_at(&item, 0);
                process.spoilt = 0;
                break;
            case 'p':
                process.wants_output = 1;
                break;
            case 'm':
                process.is_merged = 1;
                break;
            case 'S':
                ++process.sends;
                break;
            case 'F':
                opened = opened || is_namespace(&item);
                break;
            case 'C':
                process.enters = process.enters || (opened && process.sends == 0);
                ++process.calls;
                break;
            case 'I':
                ++process.calls;
                break;
            default:
                break;
        }
    }
    const char* name = process.is_ours ? (const char*)process.words.bytes : "";
    const char* slash = strrchr(name, '/');
    process.is_ours = strcmp(slash ? slash + 1 : name, program_invocation_short_name) == 0;
    return process;
}

static void take_environment(const struct item* tape) {
    static const char* const kept[] = {"COLORFGBG", "NO_COLOR", "TZ", "LC_ALL", "LANG", "TERM"};
    for (size_t i = 0; i < sizeof kept / sizeof *kept; ++i)
        unsetenv(kept[i]);
    struct item item;
    for (size_t place = 0; next_item(tape->bytes, tape->size, &place, &item);) {
        if (item.kind == 'e' && item.size > 0 && item.bytes[item.size - 1] == 0)
            putenv((char*)item.bytes);
        if (item.kind == 't') state.terminal = 1;
    }
}

static void run_child(int (*main)(int, char**, char**), const struct item* tape,
                      const struct process* process, const int outputs[2]) {
    static char* words[WORDS_MAX + 1];
    int count = 0;
    for (uint32_t place = 0; place < process->words.size && count < WORDS_MAX;) {
        char* word = (char*)process->words.bytes + place;
        words[count++] = word;
        place += (uint32_t)strlen(word) + 1;
    }
    for (int i = 0; i < 2; ++i)
        if (dup2(outputs[process->is_merged ? 0 : i], i + 1) < 0) _exit(120);
    close_range(3, ~0U, 0);
    const struct rlimit time = {PROCESSOR_SECONDS, PROCESSOR_SECONDS + 1};
    const rlim_t size = MORE_OUTPUT + (process->out.size > process->err.size ? process->out.size
                                                                             : process->err.size);
    const struct rlimit room = {size, size};
    if (setrlimit(RLIMIT_CPU, &time) != 0 || setrlimit(RLIMIT_FSIZE, &room) != 0) _exit(120);
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || confine_process() != 0) _exit(120);
    signal(SIGALRM, SIG_DFL);
    signal(SIGXFSZ, SIG_DFL);
    alarm(SECONDS);
    state.mode = replaying;
    state.tape = tape->bytes;
    state.tape_size = tape->size;
    take_environment(tape);
    exit(main(count, words, environ));
}

static int as_recorded(int file, const struct item* expected, size_t* size) {
    const off_t end = lseek(file, 0, SEEK_END);
    *size = end < 0 ? 0 : (size_t)end;
    if (*size != expected->size) return 0;
    if (*size == 0) return 1;
    void* bytes = mmap(NULL, *size, PROT_READ, MAP_SHARED, file, 0);
    if (bytes == MAP_FAILED) return 0;
    const int same = memcmp(bytes, expected->bytes, *size) == 0;
    munmap(bytes, *size);
    return same;
}

static int is_hung(int status) {
    if (!WIFSIGNALED(status)) return 0;
    const int number = WTERMSIG(status);
    return number == SIGALRM || number == SIGXCPU || number == SIGXFSZ;
}

static struct result judge(const struct process* process, int status, const int outputs[2]) {
    struct result result = {.status = status, .verdict = "same"};
    const int out = as_recorded(outputs[0], &process->out, &result.sizes[0]);
    const int err = as_recorded(outputs[1], &process->err, &result.sizes[1]);
    if (is_hung(status)) {
        result.verdict = "hung";
    } else if (WIFSIGNALED(status)) {
        result.verdict = "crashed";
    } else if (state.outcome->entering &&
               (state.outcome->different || state.outcome->called != process->calls)) {
        result.verdict = "entered";
    } else if (state.outcome->different || state.outcome->sent != process->sends ||
               state.outcome->called != process->calls) {
        result.verdict = "asked";
    } else if ((uint32_t)status != process->status) {
        result.verdict = "status";
    } else if (!out || !err) {
        result.verdict = "output";
    }
    return result;
}

static void give(const void* bytes, size_t size) {
    while (size > 0) {
        const ssize_t given = write(RESULTS, bytes, size);
        if (given < 0 && errno == EINTR) continue;
        if (given <= 0) _exit(0);  // nobody asks any more
        bytes = (const char*)bytes + given;
        size -= (size_t)given;
    }
}

static void give_output(int file, size_t size) {
    if (size == 0) return;
    void* bytes = mmap(NULL, size, PROT_READ, MAP_SHARED, file, 0);
    if (bytes == MAP_FAILED) _exit(121);
    give(bytes, size);
    munmap(bytes, size);
}

static void empty(const int outputs[2]) {
    for (int i = 0; i < 2; ++i)
        if (ftruncate(outputs[i], 0) != 0 || lseek(outputs[i], 0, SEEK_SET) != 0) _exit(122);
}

// Where processes are limited it waits for the end of another one.
static pid_t fork_patiently(void) {
    const struct timespec pause = {.tv_nsec = 2000000};
    for (int tries = 0; tries < 1000; ++tries) {
        const pid_t child = fork();
        if (child >= 0 || errno != EAGAIN) return child;
        nanosleep(&pause, NULL);
    }
    return -1;
}

// One process, to its end.
static int run(int (*main)(int, char**, char**), const struct item* tape,
               const struct process* process, const int outputs[2]) {
    empty(outputs);
    *state.outcome = (struct outcome){.loose = (uint32_t)process->wants_output,
                                      .entering = (uint32_t)process->enters};
    const pid_t child = fork_patiently();
    if (child < 0) _exit(123);
    if (child == 0) run_child(main, tape, process, outputs);
    int status = -1;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR) _exit(127);
    // The kernel was short of memory: this says nothing of the program.
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) _exit(119);
    return status;
}

static int took_too_long(void) {
    struct rusage used;
    return getrusage(RUSAGE_CHILDREN, &used) != 0 ||
           used.ru_utime.tv_sec + used.ru_stime.tv_sec >= ALL_PROCESSOR_SECONDS;
}

// 0: it hangs again and again, and no more is asked.
static int replay(int (*main)(int, char**, char**), unsigned number, const struct item* tape,
                  const int outputs[2]) {
    const struct process process = read_process(tape);
    static int hung;
    if (!process.is_ours || process.spoilt) return 1;
    int status = run(main, tape, &process, outputs);
    // Not by chance: the machine may have slept.
    if (is_hung(status) && ++hung < HUNG_MAX) status = run(main, tape, &process, outputs);
    const struct result result = judge(&process, status, outputs);
    char line[128];
    const int size = snprintf(line, sizeof line, "%u %s %d %zu %zu\n", number, result.verdict,
                              result.status, process.wants_output ? result.sizes[0] : 0,
                              process.wants_output ? result.sizes[1] : 0);
    give(line, (size_t)size);
    for (int i = 0; i < 2 && process.wants_output; ++i)
        give_output(outputs[i], result.sizes[i]);
    return hung < HUNG_MAX && !took_too_long();
}

// 0: no more is wanted.
static int read_wanted(uint32_t* number) {
    size_t got = 0;
    while (got < sizeof *number) {
        const ssize_t more = read(WANTED, (char*)number + got, sizeof *number - got);
        if (more < 0 && errno == EINTR) continue;
        if (more <= 0) return 0;
        got += (size_t)more;
    }
    return 1;
}

// Where each of the tapes is, and the blobs. NULL: no memory.
static const size_t* find_tapes(const unsigned char* file, size_t size, uint32_t* count) {
    static const unsigned char* blobs[BLOBS_MAX];
    static uint32_t blob_sizes[BLOBS_MAX];
    struct item item;
    for (size_t place = 0; next_item(file, size, &place, &item);)
        *count += item.kind == 'r';
    // Not by malloc(), whose state the processes take over.
    size_t* places = mmap(NULL, (*count + 1) * sizeof *places, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (places == MAP_FAILED) return NULL;
    uint32_t number = 0;
    state.blob_count = 0;
    for (size_t place = 0, before = 0; next_item(file, size, &place, &item); before = place) {
        if (item.kind == 'r') places[number++] = before;
        if (item.kind != 'd' || state.blob_count == BLOBS_MAX) continue;
        blobs[state.blob_count] = item.bytes;
        blob_sizes[state.blob_count++] = item.size;
    }
    state.blobs = blobs;
    state.blob_sizes = blob_sizes;
    return places;
}

struct tapes {
    const unsigned char* file;
    size_t size;
    uint32_t count;
    const size_t* places;
};

// All tapes that are in the file by now. 0: there is no memory, or no file.
static int read_tapes(struct tapes* tapes) {
    struct stat status;
    if (fstat(TAPES, &status) != 0 || status.st_size <= 0) return 0;
    if ((size_t)status.st_size == tapes->size) return 1;
    struct tapes all = {.size = (size_t)status.st_size};
    all.file = mmap(NULL, all.size, PROT_READ | PROT_WRITE, MAP_PRIVATE, TAPES, 0);
    if (all.file == MAP_FAILED) return 0;
    all.places = find_tapes(all.file, all.size, &all.count);
    *tapes = all;
    return all.places != NULL;
}

int serve_replays(int (*main)(int, char**, char**)) {
    struct tapes tapes = {0};
    if (!read_tapes(&tapes)) return 124;
    state.outcome = mmap(NULL, sizeof *state.outcome, PROT_READ | PROT_WRITE,
                         MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    const int outputs[2] = {memfd_create("out", MFD_CLOEXEC), memfd_create("err", MFD_CLOEXEC)};
    if (state.outcome == MAP_FAILED || outputs[0] < 0 || outputs[1] < 0) return 125;
    uint32_t number = 0;
    if (confine() != 0) return 126;
    give("ready\n", 6);
    while (read_wanted(&number)) {
        if (number != UINT32_MAX && number >= tapes.count && !read_tapes(&tapes)) return 125;
        struct item item;
        size_t place = number < tapes.count ? tapes.places[number] : tapes.size;
        if (number == UINT32_MAX) {
            give("end\n", 4);
        } else if (next_item(tapes.file, tapes.size, &place, &item) &&
                   !replay(main, number, &item, outputs)) {
            return 0;
        }
    }
    return 0;
}
