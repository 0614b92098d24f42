// expect: false
// checks: memory+fields
extern unsigned __VERIFIER_nondet_uint(void);
struct message {
    char text[8];
    int length;
} message;

int main(void)
{
    unsigned i = __VERIFIER_nondet_uint() % 9;
    message.text[i] = 1;
    return message.length;
}
