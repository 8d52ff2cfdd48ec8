/* The system calls by which nlsh makes sure of what a program may have changed since its last call,
 * without what it makes of the answers (packaging/docs/system-calls.md says what each is for). */
#ifndef NLSH_BENCH_CHECKS_H
#define NLSH_BENCH_CHECKS_H

/* The checks that each call makes of its program, by any way. */
void checks_of_caller(void);
/* The further checks of the engine in a program, and of a server for a kept connection. */
void checks_of_engine(void);
void checks_of_server(void);

#endif
