// expect: false
// What was left in allocated memory may be the address of an object, so that a write through it succeeds on a machine.
#include <stdlib.h>
extern void __assert_fail(const char *, const char *, unsigned int, const char *);
struct session {
    int cipher;
};
struct connection {
    struct session *session;
    int state;
};
int main(void) {
    struct connection *c = malloc(sizeof(struct connection));
    c->state = 1;
    c->session->cipher = 7;
    if (c->state == 1)
        __assert_fail("c->state != 1", __FILE__, __LINE__, __func__);
    return 0;
}
