// expect: false
// A function without a body returns any number that the type of an enumeration can hold.
#include <assert.h>
enum mode { OFF, ON = 5, FAST };
extern enum mode get_mode(void);
int main(void)
{
    enum mode mode = get_mode();
    assert(mode == OFF || mode == ON || mode == FAST);
    return 0;
}
