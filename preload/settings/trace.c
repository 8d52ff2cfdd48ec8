#include "preload/settings/trace.h"

#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <time.h>

#include "preload/settings/config.h"
#include "shim/wire/append.h"

uint64_t trace_clock(void) {
    if (!config()->trace[0]) return 0;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* Written at once, so that lines of several processes don't mix. Longer lines are cut. */
struct line {
    char text[1024];
    size_t size;
};

static void add(struct line* line, const char* text, size_t limit) {
    const size_t end =
        line->size + limit < sizeof line->text ? line->size + limit : sizeof line->text;
    for (; text && *text && line->size < end; ++text) {
        line->text[line->size++] = *text == '\t' || *text == '\n' ? ' ' : *text;
    }
}

static void add_character(struct line* line, char character) {
    if (line->size < sizeof line->text) line->text[line->size++] = character;
}

static void add_number(struct line* line, uint64_t value) {
    char digits[21];
    size_t at = sizeof digits - 1;
    digits[at] = 0;
    do {
        digits[--at] = (char)('0' + value % 10);
        value /= 10;
    } while (value);
    add(line, digits + at, sizeof digits);
}

static void add_status(struct line* line, const struct trace* trace) {
    if (!trace->has_status || trace->status < 0) {
        add(line, "-", 1);
    } else {
        add_number(line, (uint64_t)(trace->status & 0x7f ? trace->status : trace->status >> 8));
    }
}

static void add_words(struct line* line, char* const* words, size_t limit) {
    const size_t start = line->size;
    for (char* const* word = words; *word && line->size - start < limit; ++word) {
        if (word != words) add_character(line, ' ');
        add(line, *word, limit - (line->size - start));
    }
}

void trace_call(const struct trace* trace) {
    enum { PART = 470, REASON = 440 };
    if (!config()->trace[0]) return;
    const int error = errno;
    int cancelability;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancelability);
    struct line line;
    line.size = 0;
    add(&line, trace->kind, PART);
    add_character(&line, '\t');
    add(&line, trace->native ? "native" : "fallback", PART);
    add_character(&line, '\t');
    add_status(&line, trace);
    add_character(&line, '\t');
    add_number(&line, (trace_clock() - trace->start) / 1000);
    add_character(&line, '\t');
    if (trace->command) add(&line, trace->command, PART);
    if (!trace->command) add_words(&line, trace->words, PART);
    add_character(&line, '\t');
    add(&line, trace->detail, REASON);
    add_character(&line, '\t');
    add(&line, trace->way ? trace->way : trace->native ? "server" : "real", PART);
    add_character(&line, '\n');
    append_or_lose(config()->trace, line.text, line.size);
    pthread_setcancelstate(cancelability, NULL);
    errno = error;
}
