// expect: false
extern void reach_error(void);
int k;
__attribute__((constructor)) void init(void) { k = 3; }

int main(void) {
    if (k == 3) reach_error();
    return 0;
}
