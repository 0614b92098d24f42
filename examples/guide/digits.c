int digits(const char *text, unsigned length)
{
    int n = 0;
    if (!text)
        return 0;
    for (unsigned i = 0; i < length; i++)
        n += text[i] >= '0' && text[i] <= '9';
    return n;
}
