int __hone_isdigit(int c)
{
    return c >= '0' && c <= '9';
}
