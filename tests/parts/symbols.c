int stored;

int double_of(int x)
{
    return 2 * x;
}

int version(void)
{
    return 2;
}

int version_here(void)
{
    return version();
}

int replaced = 4;

int behind_label(void) __asm__("plain");
int behind_label(void)
{
    return 9;
}
