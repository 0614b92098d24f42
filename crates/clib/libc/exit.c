static void (*__hone__handlers[32])(void);
static int __hone__n_handlers;
int __hone_atexit(void (*handler)(void))
{
    if (__hone__n_handlers == 32)
        __hone__unsupported();
    __hone__handlers[__hone__n_handlers] = handler;
    __hone__n_handlers++;
    return 0;
}
void __hone__run_handlers(void)
{
    while (__hone__n_handlers > 0) {
        __hone__n_handlers--;
        __hone__handlers[__hone__n_handlers]();
    }
}
