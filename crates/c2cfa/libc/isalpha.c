int __hone_isalpha(int c)
{
    return c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z';
}
