#ifndef __HONE_ARPA_INET_H
#define __HONE_ARPA_INET_H
#include <stdint.h>
uint32_t htonl(uint32_t);
uint32_t ntohl(uint32_t);
uint16_t htons(uint16_t);
uint16_t ntohs(uint16_t);
#endif
