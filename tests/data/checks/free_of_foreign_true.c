// expect: true
// checks: free
// What a function without a body returns may have come from `malloc`; with memory checked, it is a valid pointer or null.
extern void free(void *);
extern char *get_name(void);
extern int *new_counter(void);

int main(void) {
    free(get_name());
    int *counter = new_counter();
    if (counter == 0)
        return 1;
    *counter = 3;
    free(counter);
    return 0;
}
