int __hone_isprint(int c)
{
    return c >= ' ' && c <= '~';
}
