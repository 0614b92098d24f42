int __hone_isgraph(int c)
{
    return c > 32 && c < 127;
}
