// expect: true
// Truth values are true or false, also in memory that holds anything.
#include <assert.h>
#include <stdbool.h>
struct pins {
    bool up;
    unsigned char level;
    bool others[2];
};
extern bool read_pin(void);
extern struct pins read_pins(void);
extern struct pins given;
int main(void)
{
    int sum = read_pin() + read_pin();
    assert(sum <= 2);
    struct pins unset;
    assert(unset.up == 0 || unset.up == 1);
    struct pins read = read_pins();
    assert(read.others[1] <= 1);
    assert(given.up <= 1 && given.others[0] <= 1);
    return 0;
}
