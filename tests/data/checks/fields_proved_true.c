// expect: true
// checks: memory,memory+fields
extern unsigned __VERIFIER_nondet_uint(void);
struct message {
    char text[8];
    int rows[2][4];
    int rest[1];
} message;

int main(void)
{
    unsigned i = __VERIFIER_nondet_uint() % 8;
    char *end = &message.text[8];
    message.text[i] = 1;
    message.rows[i / 4][i % 4] = 2;
    return end - message.text;
}
