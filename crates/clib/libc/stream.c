extern void *__hone__new_object(__hone_size_t);

extern void __hone__check_free(void *);

extern void __hone__end_object(void *);

struct __hone__stream {
    struct __hone__stream *next, *previous;
};

static struct __hone__stream *__hone__streams;

static void *__hone__open_stream(void)
{
    if (__hone__any_int()) {
        __hone__errno = __hone__any_error();
        return (void *)0;
    }
    struct __hone__stream *stream = __hone__new_object(sizeof *stream);
    stream->next = __hone__streams;
    stream->previous = (struct __hone__stream *)0;
    if (__hone__streams)
        __hone__streams->previous = stream;
    __hone__streams = stream;
    return stream;
}

void *__hone_fopen(const char *path, const char *mode)
{
    __hone_strlen(path);
    __hone_strlen(mode);
    return __hone__open_stream();
}

void *__hone_fopen64(const char *path, const char *mode)
{
    return __hone_fopen(path, mode);
}

void *__hone_popen(const char *command, const char *mode)
{
    return __hone_fopen(command, mode);
}

void *__hone_fdopen(int file, const char *mode)
{
    __hone_strlen(mode);
    return __hone__open_stream();
}

void *__hone_tmpfile(void)
{
    return __hone__open_stream();
}

int __hone_fclose(void *file)
{
    if (!__hone__is_outside(file)) {
        struct __hone__stream *stream = file;
        __hone__check_free(stream);
        if (stream->next)
            stream->next->previous = stream->previous;
        if (stream->previous)
            stream->previous->next = stream->next;
        else
            __hone__streams = stream->next;
        __hone__end_object(stream);
    }
    if (!__hone__any_int())
        return 0;
    __hone__errno = __hone__any_error();
    return -1;
}

void *__hone_opendir(const char *path)
{
    __hone_strlen(path);
    return __hone__open_stream();
}

void *__hone_fdopendir(int file)
{
    return __hone__open_stream();
}

int __hone_closedir(void *directory)
{
    return __hone_fclose(directory);
}

int __hone_pclose(void *file)
{
    __hone_fclose(file);
    return __hone__any_int();
}

void *__hone_freopen(const char *path, const char *mode, void *file)
{
    if (path)
        __hone_strlen(path);
    __hone_strlen(mode);
    if (__hone__any_int())
        return file;
    __hone_fclose(file);
    return (void *)0;
}

long __hone_getdelim(char **line, __hone_size_t *room, int delimiter, void *file)
{
    __hone_size_t n = __hone__any_size();
    __hone__require(n >= 1 && n < (__hone_size_t)-1 / 4);
    int fails = __hone__any_int();
    // At the end of the file, there may be room that was made before.
    if (fails ? !*line && __hone__any_int() : !*line || *room < n + 1) {
        char *larger = __hone_realloc(*line, n + 1);
        if (!larger)
            return -1;
        *line = larger;
        *room = n + 1;
    }
    if (fails) {
        if (__hone__any_int())
            __hone__errno = __hone__any_error();
        return -1;
    }
    for (__hone_size_t i = 0; i < n; i++) {
        (*line)[i] = (char)__hone__any_int();
        __hone__require(i == n - 1 || (*line)[i] != (char)delimiter);
    }
    (*line)[n] = 0;
    return (long)n;
}

long __hone_getline(char **line, __hone_size_t *room, void *file)
{
    return __hone_getdelim(line, room, '\n', file);
}
