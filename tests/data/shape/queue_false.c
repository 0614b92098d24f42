// expect: false
// malloc: may-fail
// checks: memory
// A block that a node may lack is written without a test.
#include <stdlib.h>

struct job {
    int *result;
    struct job *next;
};

int __VERIFIER_nondet_int(void);

int main(void) {
    struct job *first = NULL;
    while (__VERIFIER_nondet_int()) {
        struct job *job = malloc(sizeof *job);
        if (!job)
            break;
        job->result = malloc(sizeof *job->result);
        job->next = first;
        first = job;
    }
    while (first) {
        struct job *done = first;
        first = done->next;
        *done->result = 0;
        free(done->result);
        free(done);
    }
    return 0;
}
