// expect: true
// Other names of functions and variables, also where they are used before.
extern void reach_error(void);
static void check(int ok) { if (!ok) reach_error(); }
int count;
int other(void);
int third(void) __asm__ ("twice");
extern int same __attribute__((alias("count")));
extern int before __attribute__((alias("behind")));
int behind = 5;
static const struct { int id; int kind; } table[2] = { { 1, 2 }, { 3, 4 } };
extern const struct one { int id; int kind; } first_of_table __attribute__((unused, alias("table")));
extern int late;
extern unsigned long length(const char *text) __asm__("strlen");

int main(void) {
    before = 3;
    late = 7;
    check(first_of_table.kind == 2 && (const void *)&first_of_table == table);
    check(behind == 7 && length("abc") == 3);
    check(other() == 1 && third() == 3 && count == 3 && same == 3);
    same = 5;
    check(count == 5 && &same == &count);
    return 0;
}

int real(void) { return ++count; }
int other(void) __attribute__((alias("real")));
int twice(void) { return count += 2; }
extern int late __attribute__((alias("behind")));
