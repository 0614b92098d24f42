/* A sample between 0 and 1023; -1 if there is none. */
int read_sample(void);
