/* The system calls by which nlsh makes sure of what a program may have changed since its last call,
 * without what it makes of the answers (packaging/docs/system-calls.md says what each is for). */
#ifndef NLSH_BENCH_CHECKS_H
#define NLSH_BENCH_CHECKS_H

/* Of the calling program, whichever way its line goes. */
void checks_of_caller(void);
/* What the engine in the program asks beside, and what a server asks for a kept connection. */
void checks_of_engine(void);
void checks_of_server(void);

#endif
