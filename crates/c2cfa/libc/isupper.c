int __hone_isupper(int c)
{
    return c >= 'A' && c <= 'Z';
}
