// expect: true
// What `_Generic` and __builtin_types_compatible_p choose by: qualifiers of what a pointer leads to count, those of the value itself do not.
extern void reach_error(void);
#define CHECK(e) do { if (!(e)) reach_error(); } while (0)

struct pair { int first, second; };
static int callee(void) { return 1; }

#define KIND(x) _Generic((x), int: 1, char *: 2, const char *: 3, struct pair *: 4, const struct pair *: 5, int (*)(void): 6, default: 0)
#define PLACE(x) _Generic(&(x), int *: 1, const int *: 2, volatile int *: 3, const volatile int *: 4, default: 0)

int main(void) {
    char text[3] = "ab";
    const char fixed[3] = "ab";
    const char *reader = text;
    typedef char *writer_type;
    const writer_type writer = text;
    CHECK(KIND(text) == 2 && KIND(fixed) == 3 && KIND(reader) == 3 && KIND(writer) == 2 && KIND("ab") == 2 && KIND(callee) == 6);

    int plain = 0;
    const int constant = 1;
    volatile int changing = 2;
    const volatile int both = 3;
    CHECK(PLACE(plain) == 1 && PLACE(constant) == 2 && PLACE(changing) == 3 && PLACE(both) == 4);
    CHECK(KIND(constant) == 1 && _Generic(constant, const int: 1, int: 2) == 2);

    struct pair own = {1, 2};
    const struct pair rows[1] = {{1, 2}};
    const struct pair *row = &own;
    CHECK(KIND(&own) == 4 && KIND(rows) == 5 && PLACE(own.first) == 1 && PLACE(rows[0].first) == 2 && PLACE(row->second) == 2);
    CHECK(_Generic((int **)0, const int **: 1, int *const *: 2, int **: 3) == 3);
    CHECK(_Generic((int (*)(const int))0, int (*)(int): 1, default: 2) == 1);
    CHECK(_Generic((int (*)(const int *))0, int (*)(int *): 1, default: 2) == 2);

    CHECK(!__builtin_types_compatible_p(const char *, char *) && __builtin_types_compatible_p(char *const, char *));
    CHECK(__builtin_types_compatible_p(const int[2], int[2]) && __builtin_types_compatible_p(int[], int[5]));
    return plain;
}
