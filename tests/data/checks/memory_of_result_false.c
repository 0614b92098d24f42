// expect: false
// checks: memory
// The place is known before the call, whose result does not fit there.
static int twice(int x) { return 2 * x; }

int main(void)
{
    int all[2];
    for (int i = 0; i < 3; i++)
        all[i] = twice(i);
    return 0;
}
