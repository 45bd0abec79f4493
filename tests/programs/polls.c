/* Polls the queue in HAVOQ_QUEUE_URL for ever, and does nothing with what it receives. Linked
 * statically, it is a consumer that no library can be loaded into. */
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

int main(void)
{
    const char *url = getenv("HAVOQ_QUEUE_URL");
    unsigned int port;
    if (!url || sscanf(url, "http://127.0.0.1:%u", &port) != 1)
        return 2;
    char body[1024], request[2048], answer[65536];
    snprintf(body, sizeof body, "{\"QueueUrl\":\"%s\",\"WaitTimeSeconds\":20}", url);
    snprintf(request, sizeof request,
             "POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Amz-Target: AmazonSQS.ReceiveMessage\r\n"
             "Content-Type: application/x-amz-json-1.0\r\nContent-Length: %zu\r\n\r\n%s",
             strlen(body), body);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((unsigned short)port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int tap = socket(AF_INET, SOCK_STREAM, 0);
    if (tap < 0 || connect(tap, (struct sockaddr *)&address, sizeof address) != 0)
        return 1;
    /* An answer comes in one piece or in few; whatever follows the request is read as one. */
    while (write(tap, request, strlen(request)) > 0 && read(tap, answer, sizeof answer) > 0)
        ;
    return 0;
}
