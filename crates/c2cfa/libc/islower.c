int __hone_islower(int c)
{
    return c >= 'a' && c <= 'z';
}
