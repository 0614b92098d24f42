// expect: true
// checks: memory,assertions
// What may be written though something about it is constant: copies of constants, automatic ones, pointers to constants, and tables of these.
extern void reach_error(void);
#define CHECK(e) do { if (!(e)) reach_error(); } while (0)

struct limits { int low, high; };
static const struct limits table[] = {{1, 2}, {3, 4}};
static const char *names[] = {"a", "b"};
static const int *chosen = &table[0].low;
static int plain[2] = {5, 6};
static int *const fixed = plain;
static const volatile int status = 1;
const int *const both[2] = {&plain[0], &plain[1]};

static char *name(void) {
    static const char text[] = "text";
    return (char *)text;
}

int main(void) {
    struct limits own = table[1];
    own.low = 9;
    const char **slot = &names[1];
    *slot = "c";
    const int **place = &chosen;
    *place = &own.low;
    *fixed = 7;
    *(int *)both[1] = 8;
    const struct limits local = {1, 2};
    CHECK(*names[1] == 'c' && *chosen == 9 && plain[0] == 7 && *both[1] == 8 && local.high + status == 3);
    CHECK(name()[1] == 'e' && table[1].low == 3);
    return 0;
}
