int __hone_toascii(int c)
{
    return c & 127;
}
