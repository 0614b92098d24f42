// expect: false
// checks: memory
// What lies behind the end of a text is read here where that is empty.
int main(int argc, char **argv)
{
    char last[4] = "", *to = last;
    if (argc < 2)
        return 1;
    for (char *at = argv[1]; *at; at++)
        *to++ = *at;
    return *to;
}
