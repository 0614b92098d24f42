// expect: true
// Sums that are too small for their remainders and limits to matter.
extern void reach_error(void);
extern unsigned char nondet_uchar(void);
static void check(int ok) { if (!ok) reach_error(); }

static unsigned long sum(unsigned long before, const unsigned char *bytes, int n) {
    unsigned long first = before & 0xffff, second = before >> 16 & 0xffff;
    while (n--) {
        first += *bytes++;
        second += first;
    }
    if (first >= 65521) first -= 65521;
    second %= 65521;
    return first | second << 16;
}

int main(void) {
    unsigned char bytes[6];
    for (int i = 0; i < 6; i++) bytes[i] = nondet_uchar();
    check(sum(1, bytes, 6) == sum(sum(1, bytes, 3), bytes + 3, 3));
    return 0;
}
