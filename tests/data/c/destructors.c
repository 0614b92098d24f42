// expect: true
// Functions that run after main and in exit, also if one of them calls exit; abort and _exit leave them out.
extern void exit(int), _exit(int), abort(void);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static void check(int ok) { if (!ok) reach_error(); }
int calls, left;
__attribute__((destructor(200))) static void third(void) { check(calls == 2 && !left); calls++; }
__attribute__((destructor(300))) static void second(void) { check(calls == 1 && !left); calls++; exit(2); }
__attribute__((destructor)) static void first(void) { check(calls == 0 && !left); calls++; }

int main(void) {
    switch (__VERIFIER_nondet_int()) {
    case 1: exit(1);
    case 2: left = 1; _exit(1);
    case 3: left = 1; abort();
    default: return 0;
    }
}
