// expect: true
// Attributes in brackets stand before declarations, statements and in statements of their own; `_Pragma` may stand wherever a pragma may.
extern void reach_error(void);
#define CHECK(e) do { if (!(e)) reach_error(); } while (0)
_Pragma("GCC diagnostic ignored \"-Wunused-variable\"")

[[maybe_unused]] static int unused;

static int kind(int k) {
    [[maybe_unused]] int spare = k;
    int n = 0;
    switch (k) {
    case 0:
        n++;
        [[fallthrough]];
    case 1:
        n += 2;
        [[gnu::fallthrough]] [[fallthrough]];
    case 2:
        n += 4;
        __attribute__((fallthrough));
    default:
        n += 8;
    }
    [[likely]] if (n > 8)
        n += 16;
    [[maybe_unused]] [[gnu::aligned(16)]] const char c = 1;
    return n + c - 1;
}

int main(void) {
    int last[2] = {0, 1};
    int at[2] = {[1] = last[last[1]]};
    CHECK(kind(0) == 31 && kind(1) == 30 && kind(2) == 28 && kind(3) == 8 && at[1] == 1);
    return 0;
}
