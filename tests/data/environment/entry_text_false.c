// expect: false
// environment: --entry length --max-elements 4
// checks: memory
// Texts need not end.
int length(const char *text)
{
    int n = 0;
    if (!text)
        return 0;
    while (text[n])
        n++;
    return n;
}
