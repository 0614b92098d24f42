// expect: false
// with: ../../parts/stack.c
// The failing assertion is in the other file.
extern int nondet(void);
extern int depth;
void push(int value);
int pop(void);

int main(void)
{
    int n = nondet();
    for (int i = 0; i < n; i++)
        push(i);
    pop();
    return depth;
}
