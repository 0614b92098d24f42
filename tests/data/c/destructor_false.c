// expect: false
extern void exit(int);
extern void reach_error(void);
int k;
__attribute__((destructor)) static void done(void) { if (k == 1) reach_error(); }
static void leave(void) { k = 1; exit(0); }

int main(void) {
    leave();
    return 0;
}
