// expect: true
// environment: --cflag=-std=gnu2x
extern void reach_error(void);
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)
int main(void) {
    CHECK(1'000'000 == 1000000 && 0b1010'1010 == 170 && 0x7fff'ffff == 2147483647 && 01'7 == 15);
    CHECK(1'0.2'5 == 10.25); // it's a comment
    CHECK(1'2uL == 12 && '1' == 49); /* don't */
    return 0;
}
