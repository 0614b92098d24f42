int __hone_atoi(const char *s)
{
    int value = 0;
    int negative = 0;
    while (*s == ' ' || *s >= '\t' && *s <= '\r')
        s++;
    if (*s == '-' || *s == '+') {
        negative = *s == '-';
        s++;
    }
    for (; *s >= '0' && *s <= '9'; s++)
        value = 10 * value - (*s - '0');
    return negative ? value : -value;
}
