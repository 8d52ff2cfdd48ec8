// Writes a tape of one process of ip or bridge: $NLSH_REPLAY_RECORD is the folder.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "shim/replay/inside/calls.h"

extern char** environ;

static int own_output[2] = {-1, -1};  // where it would have written
static pid_t owner;
static char written[4096];  // the tape's path

void record_parts(char kind, const void* const parts[], const size_t sizes[], int count) {
    size_t whole = 0;
    for (int i = 0; i < count; ++i)
        whole += sizes[i];
    if (state.made_room - state.made_size < whole + ITEM_HEADER) {
        const size_t room = 2 * (state.made_room + whole + ITEM_HEADER);
        unsigned char* more = realloc(state.made, room);
        if (more == NULL) abort();
        state.made = more;
        state.made_room = room;
    }
    const uint32_t size = (uint32_t)whole;
    state.made[state.made_size] = (unsigned char)kind;
    memcpy(state.made + state.made_size + 1, &size, sizeof size);
    state.made_size += ITEM_HEADER;
    for (int i = 0; i < count; ++i) {
        if (sizes[i] > 0) memcpy(state.made + state.made_size, parts[i], sizes[i]);
        state.made_size += sizes[i];
    }
}

void record(char kind, const void* bytes, size_t size) {
    record_parts(kind, &bytes, &size, 1);
}

// What follows is the program's own again.
static void give_back(void) {
    for (int i = 0; i < 2; ++i) {
        if (own_output[i] < 0) continue;
        char buffer[65536];
        ssize_t got;
        off_t place = 0;
        while ((got = pread(i + 1, buffer, sizeof buffer, place)) > 0) {
            if (write(own_output[i], buffer, (size_t)got) != got) break;
            place += got;
        }
        dup2(own_output[i], i + 1);
        close(own_output[i]);
        own_output[i] = -1;
    }
}

void spoil(const char* reason) {
    if (state.mode != recording || getpid() != owner) return;
    fflush(NULL);
    record('z', reason, strlen(reason));
    give_back();
}

static void record_output(char kind, int descriptor) {
    const off_t size = lseek(descriptor, 0, SEEK_END);
    unsigned char* bytes = malloc((size_t)size + 1);
    if (bytes == NULL) abort();
    const ssize_t got = pread(descriptor, bytes, (size_t)size, 0);
    record(kind, bytes, got < 0 ? 0 : (size_t)got);
    free(bytes);
}

// A monitor doesn't end by itself; a batch may read what nobody has recorded.
static int cannot_be_recorded(char** word) {
    if (strcmp(*word, "-") == 0) return 1;
    return strncmp(*word, "monit", 5) == 0 && (word[1] == NULL || strcmp(word[1], "help") != 0);
}

void begin_recording(int argc, char** argv) {
    state.mode = recording;
    owner = getpid();
    for (int i = 0; i < argc; ++i) {
        if (i > 0 && cannot_be_recorded(&argv[i])) {
            record('z', argv[i], strlen(argv[i]));
            return;
        }
    }
    static const char* const kept[] = {"COLORFGBG", "NO_COLOR", "TZ"};
    unsigned char words[8192];
    size_t used = 0;
    for (int i = 0; i < argc && used + strlen(argv[i]) < sizeof words; ++i)
        used = (size_t)(stpcpy((char*)words + used, argv[i]) + 1 - (char*)words);
    record('a', words, used);
    for (size_t i = 0; i < sizeof kept / sizeof *kept; ++i) {
        const char* value = getenv(kept[i]);
        if (value == NULL) continue;
        char text[512];
        const int size = snprintf(text, sizeof text, "%s=%s", kept[i], value);
        if (size > 0 && (size_t)size < sizeof text) record('e', text, (size_t)size + 1);
    }
    for (int i = 0; i < 2; ++i) {
        own_output[i] = fcntl(i + 1, F_DUPFD_CLOEXEC, 200);
        const int file = memfd_create("recorded", MFD_CLOEXEC);
        if (own_output[i] < 0 || file < 0 || dup2(file, i + 1) < 0) abort();
        close(file);
    }
}

void end_recording(int status) {
    if (state.mode != recording || getpid() != owner) return;
    fflush(NULL);
    const uint32_t wait_status = (uint32_t)(status & 0xff) << 8;
    record('s', &wait_status, sizeof wait_status);
    if (own_output[0] >= 0) {
        record_output('o', 1);
        record_output('x', 2);
    }
    give_back();
    state.mode = idle;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    const char* folder = getenv("NLSH_REPLAY_RECORD");
    if (folder == NULL) return;
    snprintf(written, sizeof written, "%s/%012ld.%09ld-%d", folder, (long)now.tv_sec, now.tv_nsec,
             (int)owner);
    const int file = open(written, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file < 0) return;
    if (write(file, state.made, state.made_size) != (ssize_t)state.made_size) forget_recording();
    close(file);
}

void forget_recording(void) {
    if (written[0] != 0) unlink(written);
}
