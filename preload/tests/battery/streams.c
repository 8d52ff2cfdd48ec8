/* The stream that popen gives. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "battery.h"

BEHAVIOUR(modes) {
    static const char* const all[] = {"r",  "re", "er", "rr", "ree", "w", "we",
                                      "rw", "wr", "r+", "rb", "x",   ""};
    for (size_t i = 0; i < sizeof all / sizeof *all; ++i) {
        errno = 0;
        FILE* file = popen("ip test status 3", all[i]);
        dprintf(transcript(), "%s: %s, ", all[i], file ? "opened" : strerror(errno));
        if (file) show("cloexec", fcntl(fileno(file), F_GETFD));
        show_status("", file ? pclose(file) : 0);
    }
}

BEHAVIOUR(descriptor) {
    FILE* file = popen("ip test out 150", "r");
    struct pollfd wait = {.fd = fileno(file), .events = POLLIN};
    poll(&wait, 1, 10000);
    show("readable", wait.revents & POLLIN);
    show("bytes", drain(wait.fd));
    poll(&wait, 1, 10000);
    show("at the end", wait.revents);
    struct stat status;
    fstat(wait.fd, &status);
    show("fifo", S_ISFIFO(status.st_mode));
    show("flags", fcntl(wait.fd, F_GETFL));
    show("capacity", fcntl(wait.fd, F_GETPIPE_SZ));
    show("larger", fcntl(wait.fd, F_SETPIPE_SZ, 1 << 20));
    show_status("pclose", pclose(file));
}

BEHAVIOUR(mebibyte) {
    read_some("ip test out 1048576", 1 << 30, 0);
    read_some("ip test out 1048576", 1 << 30, 5000);
    read_some("ip test out 1048576", 100000, 0);
}

BEHAVIOUR(mebibytes) {
    read_some("ip test out 104857600", 1 << 30, 0);
    read_some("ip test out 104857600", 10000000, 0);
}

/* A reader that stops for a while, and one that polls a non-blocking descriptor. */
BEHAVIOUR(pauses) {
    FILE* file = popen("ip test out 300000", "r");
    /* Wait until stdio's first read can fill its buffer, or the sum would depend on the machine's
     * load. */
    int there = 0;
    while (ioctl(fileno(file), FIONREAD, &there) == 0 && there < 4096)
        usleep(1000);
    char first[1000];
    show("first", (long)fread(first, 1, sizeof first, file));
    usleep(300000);
    fcntl(fileno(file), F_SETFL, O_NONBLOCK);
    long sum = 0;
    for (;;) {
        struct pollfd wait = {.fd = fileno(file), .events = POLLIN};
        poll(&wait, 1, 10000);
        char bytes[5000];
        const ssize_t got = read(wait.fd, bytes, sizeof bytes);
        if (got < 0 && errno == EAGAIN) continue;
        if (got <= 0) break;
        sum += got;
    }
    /* The sum lacks what stdio has read ahead: the same amount with the preload and without. */
    show("bytes", sum);
    show_status("pclose", pclose(file));
}

/* Volatile, so that the compiler doesn't warn about mismatched streams. */
static int (*volatile close_file)(FILE*) = fclose;
static int (*volatile close_process)(FILE*) = pclose;

BEHAVIOUR(reuse) {
    for (int i = 0; i < 5; ++i) {
        show_status("fclose", close_file(popen("ip test status 3", "r")));
        show_status("real", pclose(popen("exit 5", "r")));
        show_status("pclose", pclose(popen("ip test status 4", "r")));
        show_status("file", fclose(fopen("/dev/null", "r")));
        show_status("pclose of a file", close_process(fopen("/dev/null", "r")));
    }
    errno = 0;
    show_status("no child left", wait(NULL));
}

/* The command's output comes before the program's unflushed output. */
BEHAVIOUR(order) {
    printf("program 1\n");
    system("ip test out 10");
    printf("program 2\n");
    read_some("ip test out 10", 100, 0);
    system("ip test out 10");
    fflush(stdout);
    system("ip test out 10");
}

/* libc closes earlier streams in the children of later popens. Otherwise the writer of a big stream
 * would wait for ever. */
BEHAVIOUR(later_children) {
    FILE* big = popen("ip test out 1000000", "r");
    FILE* later = popen("sleep 3 & ls /proc/self/fd; echo $!", "r");
    char text[300] = "";
    long lines = 0, child = 0;
    while (fgets(text, sizeof text, later)) {
        ++lines;
        child = atol(text);
        if (child > 100) break;
    }
    show("descriptors of the later child", lines);
    show("cloexec", fcntl(fileno(big), F_GETFD));
    show_status("early pclose", pclose(big));
    show("the later child's child lives", kill((pid_t)child, 0) == 0);
    kill((pid_t)child, 9);
    show_status("later", pclose(later));
}

/* Streams end independently of each other. */
BEHAVIOUR(interleaved) {
    FILE* files[3] = {popen("ip test out 200000", "r"), popen("ip test status 7", "r"),
                      popen("ip test out 90", "re")};
    for (int i = 0; i < 3; ++i)
        show("fileno", fileno(files[i]));
    show_status("pclose", pclose(files[1]));
    show("bytes", drain(fileno(files[2])));
    show("bytes", drain(fileno(files[0])));
    show_status("pclose", pclose(files[0]));
    show_status("pclose", pclose(files[2]));
}

/* The caller's errno, on success, and the position of stdio's reader. */
BEHAVIOUR(errors) {
    errno = 77;
    system("ip test status 0");
    show("errno", errno);
    FILE* file = popen("ip test out 250", "r");
    show("errno", errno);
    char line[100];
    show("line", fgets(line, sizeof line, file) ? (long)strlen(line) : -1);
    show("eof", feof(file));
    while (fgets(line, sizeof line, file)) {
    }
    show("eof", feof(file));
    show("error", ferror(file));
    show("seek", fseek(file, 0, SEEK_SET) ? errno : 0);
    errno = 77;
    show_status("pclose", pclose(file));
    show("errno", errno);
    show("shell", system(NULL));
}
