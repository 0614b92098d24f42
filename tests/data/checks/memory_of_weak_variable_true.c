// expect: true
// checks: memory
// It is read where the linker has found it.
extern int configured __attribute__((weak));

int main(void)
{
    int value = &configured ? configured : 0;
    return &configured && configured == 1 ? value : 0;
}
