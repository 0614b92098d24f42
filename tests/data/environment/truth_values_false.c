// expect: false
// Bytes beside truth values are any.
#include <assert.h>
#include <stdbool.h>
struct pins {
    bool up;
    unsigned char level;
};
extern struct pins read_pins(void);
int main(void)
{
    struct pins read = read_pins();
    assert(read.level <= 1);
    return 0;
}
