/* Runs a program on all inputs: each run is a process of its own, and the next one chooses the next inputs. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { INPUTS = 64, RUNS = 3000, POINTS = 3, VALUES = 400, ERROR = 42, UNFIT = 99, SECONDS = 2 };

static struct {
    /* The inputs of the run, as numbers below what may be chosen; the first `len` of them are given. */
    int len, choice[INPUTS], below[INPUTS];
    /* Values of each point that is observed; `VALUES` of them are too many. */
    int count[POINTS];
    long long value[POINTS][VALUES];
} *shared;
static int inputs;

static int choose(int below) {
    if (inputs == INPUTS)
        _exit(UNFIT);
    if (inputs == shared->len) {
        shared->choice[inputs] = 0;
        shared->below[inputs] = below;
        shared->len++;
    }
    return shared->choice[inputs++];
}

/* Programs restrict numbers to these ranges. */
int __VERIFIER_nondet_int(void) { return choose(9) - 3; }
unsigned __VERIFIER_nondet_uint(void) { return choose(6); }
unsigned char __VERIFIER_nondet_uchar(void) { return choose(256); }
_Bool __VERIFIER_nondet_bool(void) { return choose(2); }
void __VERIFIER_assume(int condition) { if (!condition) _exit(0); }
void reach_error(void) { _exit(ERROR); }

void observe(int point, long long value) {
    int count = shared->count[point];
    for (int i = 0; i < count; i++)
        if (shared->value[point][i] == value)
            return;
    if (count == VALUES)
        _exit(UNFIT);
    shared->value[point][count] = value;
    shared->count[point] = count + 1;
}

int program_main(void);

/* Whether the inputs that were chosen have a successor. */
static int advance(void) {
    while (shared->len > 0) {
        int last = shared->len - 1;
        if (++shared->choice[last] < shared->below[last])
            return 1;
        shared->len = last;
    }
    return 0;
}

int main(void) {
    shared = mmap(0, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED)
        return UNFIT;
    int runs = 0, errors = 0;
    do {
        if (++runs > RUNS)
            return UNFIT;
        pid_t child = fork();
        if (child == 0) {
            alarm(SECONDS);
            program_main();
            _exit(0);
        }
        int status;
        if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status))
            return UNFIT;
        if (WEXITSTATUS(status) == ERROR)
            errors++;
        else if (WEXITSTATUS(status) != 0)
            return UNFIT;
    } while (advance());
    printf("%d %d\n", runs, errors);
    for (int point = 0; point < POINTS; point++) {
        for (int i = 0; i < shared->count[point]; i++)
            printf("%lld ", shared->value[point][i]);
        printf("\n");
    }
    return 0;
}
