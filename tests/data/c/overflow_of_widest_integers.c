// expect: true
// Sums and differences of 128 bits tell whether they wrap.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)
typedef __int128 wide;
typedef unsigned __int128 uwide;
#define MOST ((wide)(~(uwide)0 >> 1))
#define LEAST (-MOST - 1)

int main(void) {
    wide r;
    uwide u;
    int x = __VERIFIER_nondet_int();
    CHECK(!__builtin_add_overflow((wide)1, 2, &r) && r == 3);
    CHECK(!__builtin_add_overflow((wide)x, -1, &r) && r == (wide)x - 1);
    CHECK(__builtin_add_overflow(MOST, 1, &r) && r == LEAST && __builtin_add_overflow(LEAST, -1, &r) && r == MOST);
    CHECK(!__builtin_add_overflow(MOST, -1, &r) && !__builtin_add_overflow(LEAST, MOST, &r) && r == -1);
    CHECK(__builtin_sub_overflow(LEAST, 1, &r) && r == MOST && __builtin_sub_overflow((wide)0, LEAST, &r) && r == LEAST);
    CHECK(!__builtin_sub_overflow((wide)-1, LEAST, &r) && r == MOST && __builtin_sub_overflow(MOST, -1, &r));
    CHECK(__builtin_add_overflow(~(uwide)0, 1u, &u) && u == 0 && !__builtin_add_overflow((uwide)1, 2u, &u) && u == 3);
    CHECK(__builtin_sub_overflow((uwide)1, 2u, &u) && u == ~(uwide)0 && !__builtin_sub_overflow((uwide)2, 2u, &u) && u == 0);
    CHECK(!__builtin_sub_overflow((char)1, 2u, &r) && r == -1);
    CHECK(__builtin_add_overflow_p(MOST, MOST, (wide)0) && !__builtin_sub_overflow_p(MOST, MOST, (wide)0));
    return 0;
}
