/* The least that a client of HTTP can do, to compare with: many connections that stay open, one thread, one poll. Each
 * sends the same request again and again, and reads an answer up to its Content-Length.
 *
 * client PORT WIDTH QUESTIONS: asks for the body of the last question (GET /last), sends it QUESTIONS times over WIDTH
 * connections, and prints requests a second, CPU milliseconds of a request and peak memory. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define ROOM (1 << 16)

struct line {
    int socket;
    size_t sent; /* bytes of the request that are on their way */
    size_t got;  /* bytes of the answer that are here */
    char answer[ROOM];
};

static void fail(const char *what) {
    perror(what);
    exit(1);
}

static int opened(int port) {
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons(port)};
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int on = 1, fd = socket(AF_INET, SOCK_STREAM, 0);
    if (fd < 0 || connect(fd, (struct sockaddr *)&at, sizeof at) < 0)
        fail("connect");
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    return fd;
}

/* The length of a whole answer with its head; 0: the head is not whole yet. */
static size_t length(char *text, size_t got) {
    char *end = memmem(text, got, "\r\n\r\n", 4);
    if (!end)
        return 0;
    char *named = memmem(text, got, "Content-Length:", 15);
    return end + 4 - text + (named ? strtoul(named + 15, NULL, 10) : 0);
}

/* The body of the last question, with a head of its own. */
static char *asked(int port, size_t *size) {
    static const char get[] = "GET /last HTTP/1.1\r\nHost: a\r\n\r\n";
    int fd = opened(port);
    size_t got = 0, whole = 0, room = 64 << 20;
    char *text = malloc(room);
    if (!text || write(fd, get, sizeof get - 1) < 0)
        fail("the last question");
    while (!whole || got < whole) {
        ssize_t more = read(fd, text + got, room - got);
        if (more <= 0)
            fail("the last question");
        got += more;
        whole = length(text, got);
    }
    close(fd);
    char *body = (char *)memmem(text, got, "\r\n\r\n", 4) + 4;
    size_t bytes = whole - (body - text);
    char *request = malloc(bytes + 256);
    if (!request)
        fail("memory");
    int head = sprintf(request,
                       "POST /v1/chat/completions HTTP/1.1\r\nHost: a\r\n"
                       "Content-Type: application/json\r\nContent-Length: %zu\r\n\r\n",
                       bytes);
    memcpy(request + head, body, bytes);
    free(text);
    *size = head + bytes;
    return request;
}

static void wanted(int poll, struct line *line, int change, uint32_t events) {
    struct epoll_event event = {.events = events, .data.ptr = line};
    if (epoll_ctl(poll, change, line->socket, &event) < 0)
        fail("epoll_ctl");
}

/* Sends what the socket takes; says whether all is sent. */
static int sends(struct line *line, const char *request, size_t size) {
    while (line->sent < size) {
        ssize_t some = send(line->socket, request + line->sent, size - line->sent, MSG_DONTWAIT | MSG_NOSIGNAL);
        if (some < 0 && errno == EAGAIN)
            return 0;
        if (some < 0)
            fail("send");
        line->sent += some;
    }
    return 1;
}

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec + now.tv_nsec / 1e9;
}

static double cpu(void) {
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    return (used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1e3 + (used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e3;
}

int main(int count, char **words) {
    if (count != 4)
        return 2;
    int port = atoi(words[1]), width = atoi(words[2]), questions = atoi(words[3]);
    size_t size;
    char *request = asked(port, &size);
    struct line *lines = calloc(width, sizeof *lines);
    int poll = epoll_create1(0), begun = 0, ended = 0;
    if (!lines || poll < 0)
        fail("memory");
    double began = seconds(), before = cpu();
    for (int at = 0; at < width && begun < questions; at++, begun++) {
        lines[at].socket = opened(port);
        wanted(poll, &lines[at], EPOLL_CTL_ADD, EPOLLOUT);
    }
    while (ended < questions) {
        struct epoll_event events[256];
        int ready = epoll_wait(poll, events, 256, -1);
        for (int at = 0; at < ready; at++) {
            struct line *line = events[at].data.ptr;
            if (line->sent < size) {
                if (sends(line, request, size))
                    wanted(poll, line, EPOLL_CTL_MOD, EPOLLIN);
                continue;
            }
            ssize_t more = recv(line->socket, line->answer + line->got, ROOM - line->got, MSG_DONTWAIT);
            if (more < 0 && errno == EAGAIN)
                continue;
            if (more <= 0)
                fail("recv");
            line->got += more;
            size_t whole = length(line->answer, line->got);
            if (!whole || line->got < whole)
                continue;
            ended++;
            line->sent = line->got = 0;
            if (begun == questions)
                continue;
            begun++;
            if (!sends(line, request, size))
                wanted(poll, line, EPOLL_CTL_MOD, EPOLLOUT);
        }
    }
    double took = seconds() - began, used = cpu() - before;
    struct rusage peak;
    getrusage(RUSAGE_SELF, &peak);
    printf("%6.0f %6.3f %10ld kB\n", questions / took, used / questions, peak.ru_maxrss);
    return 0;
}
