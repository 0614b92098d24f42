// expect: true
// malloc: may-fail
// checks: assertions,memory,free,leak
// args: --config shape
// shape: true
// Links are written through a pointer to the last one; each node may have a block for itself.
#include <stdlib.h>

struct job {
    int *result;
    struct job *next;
};

int __VERIFIER_nondet_int(void);

int main(void) {
    struct job *first = NULL, **end = &first;
    while (__VERIFIER_nondet_int()) {
        struct job *job = malloc(sizeof *job);
        if (!job)
            break;
        job->result = malloc(sizeof *job->result);
        job->next = NULL;
        *end = job;
        end = &job->next;
    }
    while (first) {
        struct job *done = first;
        first = done->next;
        if (done->result)
            *done->result = 0;
        free(done->result);
        free(done);
    }
    return 0;
}
