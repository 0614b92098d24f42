// expect: true
// checks: memory+fields
// No run gets to the access.
extern unsigned __VERIFIER_nondet_uint(void);
struct message {
    char text[8];
    int length;
} message;

int main(void)
{
    unsigned i = __VERIFIER_nondet_uint() % 8;
    if (i * 2 == 5)
        message.text[i + 8] = 1;
    return message.length;
}
