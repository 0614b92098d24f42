// expect: true
// value: true
// Figure 1 of the paper on explicit values and interpolation: only `flag` matters, so the loop is not unrolled.
extern int system_call(void);
void reach_error(void);

int main(int argc, char **argv) {
    int x = argc;
    int flag = 0, ticks = 0, result;
    while (1) {
        ticks = ticks + 1;
        result = system_call();
        if (result == 0 || ticks > x)
            break;
    }
    if (flag > 0)
        reach_error();
    return 0;
}
