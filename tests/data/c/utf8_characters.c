// expect: true
// environment: --cflag=-std=gnu2x
extern void reach_error(void);
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)
int main(void) {
    CHECK(sizeof(u8'a') == 1 && u8'a' == 97 && u8'\xff' == 255 && sizeof('a') == sizeof(int));
    CHECK(_Generic(u8'a', unsigned char: 1, default: 0));
    return 0;
}
