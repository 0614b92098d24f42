// expect: false
// checks: memory
__attribute__((weak)) int hook(int n);

int main(void)
{
    return hook(1);
}
