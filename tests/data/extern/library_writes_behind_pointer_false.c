// expect: false
// What lies behind pointers in memory that a library function is given.
#include <sys/uio.h>
extern void reach_error(void);

int main(void) {
    char text[2] = "";
    struct iovec parts[1] = {{text, 1}};
    readv(0, parts, 1);
    if (text[0] == 'x') reach_error();
    return 0;
}
