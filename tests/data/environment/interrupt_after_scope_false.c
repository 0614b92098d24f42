// expect: false
// checks: memory
// environment: --interrupt handler
// The variable ends with its block.
static int own, *p = &own;
void handler(void)
{
    *p = 1;
}
int main(void)
{
    {
        int x;
        p = &x;
    }
    return 0;
}
