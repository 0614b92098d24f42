char *__hone_basename(const char *path)
{
    const char *last = path;
    for (; *path; path++) {
        if (*path == '/')
            last = path + 1;
    }
    return (char *)last;
}

char *__hone_dirname(char *path)
{
    __hone_size_t n = path ? __hone_strlen(path) : 0;
    __hone_size_t length = n;
    while (length > 1 && path[length - 1] == '/')
        length--;
    if (length > 1 || n > 0 && *path != '/')
        n = length;
    while (n > 0 && path[n - 1] != '/')
        n--;
    if (n == 0)
        return (char *)".";
    __hone_size_t slash = n - 1;
    while (n > 1 && path[n - 1] == '/')
        n--;
    // Two slashes at the beginning may mean something else than one.
    if (n == 1 && *path == '/' && slash == 1)
        n = 2;
    path[n] = 0;
    return path;
}

char *__hone___xpg_basename(char *path)
{
    __hone_size_t n = path ? __hone_strlen(path) : 0;
    if (n == 0)
        return (char *)".";
    __hone_size_t end = n;
    while (end > 1 && path[end - 1] == '/')
        end--;
    if (end == 1 && *path == '/')
        return path + (n - 1);
    if (end < n)
        path[end] = 0;
    while (end > 0 && path[end - 1] != '/')
        end--;
    return path + end;
}
