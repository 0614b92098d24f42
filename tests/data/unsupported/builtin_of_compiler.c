// expect: unknown(unsupported: builtin)
// A function of compilers that is not known may write through its arguments, and its result is not just any value.
extern void reach_error(void);

int main(void)
{
    double values[2] = {1, 2};
    if (__builtin_unheard_of(values))
        reach_error();
    return 0;
}
