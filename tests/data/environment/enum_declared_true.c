// expect: true
// environment: --enum-values declared
// A function without a body returns an enumerator.
#include <assert.h>
typedef enum { OFF, ON = 5, FAST } mode_t_;
extern mode_t_ get_mode(void);
int main(void)
{
    mode_t_ mode = get_mode();
    assert(mode == OFF || mode == ON || mode == FAST);
    return 0;
}
