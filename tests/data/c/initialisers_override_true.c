// expect: true
// Later initialisers override earlier ones, and unions have one member, as GCC has it.

extern void __VERIFIER_error(void);

static void check(int holds) {
    if (!holds)
        __VERIFIER_error();
}

static int is(const char *text, char a, char b, char c) {
    return text[0] == a && text[1] == b && text[2] == c && text[3] == 0;
}

struct p {
    int x, y;
};
struct q {
    struct p p;
    int z;
};
struct named {
    char n[4];
    int v;
};
struct bits {
    unsigned a : 4, b : 4;
};

static struct q of_file[3] = {[0 ... 2].p.x = 7, [1].p.y = 2};
static char texts[3][4] = {[0 ... 2] = "...", [1][2] = 'x'};
static struct q literal = {.p = (struct p){1, 2}, .p.x = 3};
static int going_on[3][2] = {[0 ... 1] = 5, 6, 7};
static int unsized[][2] = {[0 ... 2][0] = 1, 9, 8};
static struct named overridden[2] = {[0 ... 1] = {"abc", 4}, [0 ... 1].n[0] = 'D', [1].v = 9};
static union {
    int x;
    int v[2];
} alternatives[3] = {[1].v[1] = 5, [0 ... 1].x = 1, [2].x = 1, [2].v[1] = 6};

static void ranges(void) {
    check(of_file[2].p.x == 7 && of_file[1].p.x == 7 && of_file[1].p.y == 2 && of_file[2].p.y == 0);
    check(going_on[0][1] == 0 && going_on[1][0] == 5 && going_on[1][1] == 6 && going_on[2][0] == 7);
    check(sizeof unsized == 32 && unsized[2][0] == 1 && unsized[2][1] == 9 && unsized[3][0] == 8);
    int nested[2][3] = {[0 ... 1][1 ... 2] = 6};
    check(nested[0][0] == 0 && nested[0][2] == 6 && nested[1][1] == 6);
    struct q goes_on[3] = {[0 ... 1].p.x = 5, 6, 7, 8};
    check(goes_on[0].p.y == 0 && goes_on[1].p.y == 6 && goes_on[1].z == 7 && goes_on[2].p.x == 8);
}

static void parts(void) {
    check(is(texts[0], '.', '.', '.') && is(texts[1], '.', '.', 'x') && is(texts[2], '.', '.', '.'));
    check(is(overridden[0].n, 'D', 'b', 'c') && is(overridden[1].n, 'D', 'b', 'c') && overridden[0].v == 4 && overridden[1].v == 9);
    struct named t = {.n = "abc", .n[0] = 'D'}, again = {.n[0] = 'D', .n = "abc"}, braces = {.n = {"abc"}, .n[1] = 'Z'};
    check(is(t.n, 'D', 'b', 'c') && is(again.n, 'a', 'b', 'c') && is(braces.n, 'a', 'Z', 'c'));
    struct p a = {1, 2};
    struct q l = {.p = a, .p.x = 3}, m = {.p = a, .p.y = 3}, k = {.p = {1, 2}, .p.x = 3};
    check(l.p.x == 3 && l.p.y == 0 && m.p.x == 0 && m.p.y == 3 && k.p.y == 2);
    check(literal.p.x == 3 && literal.p.y == 2);
    struct bits w = {1, 2};
    struct {
        struct bits p;
        int z;
    } v = {.p = w, .p.a = 5}, u = {.p = {1, 2}, .p.a = 5};
    check(v.p.a == 5 && v.p.b == 0 && u.p.b == 2);
}

static void unions(void) {
    check(alternatives[0].v[1] == 0 && alternatives[1].v[0] == 1 && alternatives[1].v[1] == 0);
    check(alternatives[2].v[0] == 0 && alternatives[2].v[1] == 6);
    struct {
        union {
            struct {
                int x, y;
            };
            int v[2];
        };
    } p = {.x = 1, .v[1] = 5};
    check(p.v[0] == 0 && p.v[1] == 5);
    union {
        struct {
            unsigned a : 4, c : 4;
            int d;
        } b;
        unsigned char raw[8];
    } v = {.raw = {1, 2, 3}, .b.a = 7};
    check(v.raw[0] == 7 && v.raw[1] == 0);
    struct {
        union {
            int x;
            struct {
                int a, b;
            } s;
        } u;
    } same = {.u.s.a = 1, .u.s.b = 2}, other = {.u.s.a = 1, .u.s.b = 2, .u.x = 7};
    check(same.u.s.a == 1 && same.u.s.b == 2 && other.u.s.a == 7 && other.u.s.b == 0);
}

int main(void) {
    ranges();
    parts();
    unions();
    return 0;
}
