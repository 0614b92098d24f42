// expect: false
// checks: memory
// witness: the run that follows it is not replayed
// environment: --interrupt handler
// The variable ends with the function that has it.
static int *p;
void handler(void)
{
    if (p)
        *p = 1;
}
static void lend(void)
{
    int x;
    p = &x;
}
int main(void)
{
    lend();
    return 0;
}
