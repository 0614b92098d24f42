// expect: true
// Functions that run before main, by their priority and then in the order of the text; one is declared without the attribute.
extern void reach_error(void);
static void check(int ok) { if (!ok) reach_error(); }
int calls;
static void late(void);
__attribute__((constructor)) static void third(void) { check(calls == 2); calls++; }
static void __attribute__((constructor)) late(void) { check(calls == 3); calls++; }
__attribute__((constructor(300))) void second(void) { check(calls == 1); calls++; }
void first(void) __attribute__((__constructor__(200)));
void first(void) { check(calls == 0); calls++; }

int main(void) {
    check(calls == 4);
    return 0;
}
