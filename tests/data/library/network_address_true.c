// expect: true
// checks: memory
#include <arpa/inet.h>
#include <assert.h>
#include <string.h>

int main(void) {
    struct in_addr address;
    char text[INET_ADDRSTRLEN];
    if (inet_pton(AF_INET, "127.0.0.1", &address) == 1 && inet_ntop(AF_INET, &address, text, sizeof text))
        assert(strlen(text) < sizeof text);
    return 0;
}
