// expect: false
// checks: memory
// harness: sanitizers lose the call that leads to null
__attribute__((weak)) int hook(int n);

int main(void)
{
    return hook(1);
}
