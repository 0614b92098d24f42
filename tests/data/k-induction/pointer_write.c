// expect: false
// k-induction: false
// A loop changes memory only through a pointer: forgetting that would prove the property at depth 2.
void reach_error(void);

struct state {
    int c;
    int d;
};

int main(void) {
    struct state object = {0, 0};
    struct state *s = &object;
    while (1) {
        s->c++;
        if (s->c == 20)
            reach_error();
    }
    return 0;
}
