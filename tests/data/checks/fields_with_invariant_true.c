// expect: true
// checks: memory+fields
extern int __VERIFIER_nondet_int(void);
struct message {
    char text[8];
    int length;
} message;

int main(void)
{
    unsigned i = 0;
    while (__VERIFIER_nondet_int())
        if (i < 7)
            i++;
    message.text[i] = 1;
    return message.length;
}
