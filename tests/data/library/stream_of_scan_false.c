// expect: false
// checks: memory
#include <stdio.h>

int main(void)
{
    FILE *file = fopen("/etc/port", "r");
    int port = 80;
    fscanf(file, "%d", &port);
    return port & 1;
}
