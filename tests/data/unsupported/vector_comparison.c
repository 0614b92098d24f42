// expect: unknown(unsupported: type)
// Vectors are compared element by element, which is no number.
extern void reach_error(void);
typedef int four __attribute__((vector_size(16)));
int main(void) {
    four a = {1, 2, 3, 4}, b = {4, 3, 2, 1};
    if ((a == b)[1] != 0)
        reach_error();
    return 0;
}
