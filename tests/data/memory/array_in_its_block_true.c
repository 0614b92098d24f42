// expect: true
// checks: memory
// A pointer to an array of variable length is set to something else before the block ends.
int main(void)
{
    int result = 0, *p = &result;
    for (int i = 1; i < 4; i++) {
        int v[i];
        p = v;
        p[i - 1] = i;
        result += v[i - 1];
        if (result > 100)
            break;
        p = &result;
    }
    return *p;
}
