// expect: true
// environment: --acsl --check-contract release --use-contract close
// checks: assertions,memory,free
// What is freed is said in ACSL.
extern void free(void *p);
extern void *malloc(unsigned long size);

/*@ requires \valid(p);
  @ assigns *p;
  @ frees p;
  @*/
void release(int *p) {
    *p = 0;
    free(p);
}

/*@ requires \valid(p);
  @ assigns \nothing;
  @ frees p; */
void close(int *p);

int main(void) {
    int *p = malloc(sizeof *p), *q = malloc(sizeof *q), kept = 3;
    *q = 1;
    release(p);
    close(q);
    //@ assert kept == 3;
    return 0;
}
