// expect: true
// environment: --havoc-arguments
// What is const stays as it is, so does what is not given, and null leads to nothing.
#include <assert.h>
struct state {
    int used;
    int *other;
};
extern void look(const struct state *state, const char *name);
extern void change(struct state *state);
int main(void)
{
    int outside = 5;
    struct state state = {1, &outside};
    look(&state, "name");
    assert(state.used == 1);
    change(0);
    change(&state);
    assert(outside == 5);
    return 0;
}
