int __hone_ispunct(int c)
{
    return c > 32 && c < 127 && !(c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c >= '0' && c <= '9');
}
