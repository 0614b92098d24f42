// expect: false
// checks: overflow
// A number that the user writes may be too long.
int main(int argc, char **argv)
{
    int number = 0;
    if (argc < 3)
        return 1;
    const char *text = argv[1];
    if (*text == '+')
        text++;
    while (*text >= '0' && *text <= '9')
        number = number * 10 + (*text++ - '0');
    return number == 0;
}
