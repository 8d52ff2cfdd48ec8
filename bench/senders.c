/* How fast one process sends packets by each interface of the kernel. bench_senders WAY DEVICE
 * PEER_MAC QUEUE SIZE COUNT prepares, prints "ready", waits for a byte on its standard input, sends
 * COUNT UDP packets of SIZE bytes to 10.99.0.2, and prints the monotonic seconds at its start and
 * end. Status 77: this kernel or this build hasn't that way; it has said why. */
#include <arpa/inet.h>
#include <errno.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <linux/ip.h>
#include <linux/udp.h>
#include <net/if.h>
#include <netinet/in.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>
#ifdef BENCH_PCAP
#define PCAP_DONT_INCLUDE_PCAP_BPF_H /* libbpf has the same names */
#include <pcap/pcap.h>
#endif
#ifdef BENCH_XDP
#include <linux/if_xdp.h>
#include <xdp/xsk.h>
#endif

#include "bench/measure.h"

enum { BURST = 64, FRAME = 2048, HEADERS = sizeof(struct iphdr) + sizeof(struct udphdr) };

static const char* device;
static unsigned queue, size; /* size: of what UDP carries */
static char frame[FRAME];    /* Ethernet, IP, UDP */
static size_t frame_size;
static char* const packet = frame + ETH_HLEN; /* without Ethernet */
static const struct sockaddr_in target = {
    .sin_family = AF_INET, .sin_port = 0x0900, .sin_addr.s_addr = 0x0200630a};

static _Noreturn void cannot(const char* what) {
    printf("%s: %s\n", what, strerror(errno));
    exit(77);
}

static uint16_t checksum(const void* data, size_t bytes) {
    uint32_t sum = 0;
    for (size_t i = 0; i < bytes; i += 2) {
        uint16_t word;
        memcpy(&word, (const char*)data + i, 2);
        sum += word;
    }
    while (sum >> 16)
        sum = (sum & 0xffff) + (sum >> 16);
    return (uint16_t)~sum;
}

static void make_frame(const char* peer) {
    struct ethhdr ethernet = {.h_proto = htons(ETH_P_IP)};
    unsigned char* const mac = ethernet.h_dest;
    if (sscanf(peer, "%hhx:%hhx:%hhx:%hhx:%hhx:%hhx", mac, mac + 1, mac + 2, mac + 3, mac + 4,
               mac + 5) != 6)
        fail(peer);
    struct iphdr ip = {.version = 4,
                       .ihl = 5,
                       .ttl = 64,
                       .protocol = IPPROTO_UDP,
                       .tot_len = htons((uint16_t)(HEADERS + size)),
                       .saddr = inet_addr("10.99.0.1"),
                       .daddr = target.sin_addr.s_addr};
    ip.check = checksum(&ip, sizeof ip);
    const struct udphdr udp = {.source = htons((uint16_t)(4000 + queue)),
                               .dest = target.sin_port,
                               .len = htons((uint16_t)(sizeof udp + size))};
    memcpy(frame, &ethernet, ETH_HLEN);
    memcpy(packet, &ip, sizeof ip);
    memcpy(packet + sizeof ip, &udp, sizeof udp);
    frame_size = ETH_HLEN + HEADERS + size;
}

static int opened(int descriptor, const char* what) {
    if (descriptor < 0) cannot(what);
    return descriptor;
}

static unsigned index_of_device(void) {
    const unsigned number = if_nametoindex(device);
    if (!number) fail(device);
    return number;
}

static int link_socket;

static void prepare_udp(void) {
    link_socket = opened(socket(AF_INET, SOCK_DGRAM, 0), "UDP socket");
}

static void prepare_connected(void) {
    prepare_udp();
    if (connect(link_socket, (const void*)&target, sizeof target) != 0) fail("connect");
}

static void send_connected(long count) {
    for (; count > 0; --count)
        if (send(link_socket, packet + HEADERS, size, 0) < 0) fail("send");
}

static void send_to(long count) {
    for (; count > 0; --count)
        if (sendto(link_socket, packet + HEADERS, size, 0, (const void*)&target, sizeof target) < 0)
            fail("sendto");
}

static void send_many(long count) {
    struct iovec part = {packet + HEADERS, size};
    struct mmsghdr messages[BURST];
    for (int i = 0; i < BURST; ++i)
        messages[i] = (struct mmsghdr){.msg_hdr = {.msg_iov = &part, .msg_iovlen = 1}};
    while (count > 0) {
        const int sent =
            sendmmsg(link_socket, messages, count < BURST ? (unsigned)count : BURST, 0);
        if (sent <= 0) fail("sendmmsg");
        count -= sent;
    }
}

/* IPPROTO_RAW: the IP header is the caller's. */
static void prepare_raw(void) {
    link_socket = opened(socket(AF_INET, SOCK_RAW, IPPROTO_RAW), "raw socket");
}

static void send_raw(long count) {
    for (; count > 0; --count)
        if (sendto(link_socket, packet, HEADERS + size, 0, (const void*)&target, sizeof target) < 0)
            fail("raw sendto");
}

/* Protocol 0: nothing is received. */
static void prepare_packet(void) {
    const struct sockaddr_ll address = {.sll_family = AF_PACKET,
                                        .sll_ifindex = (int)index_of_device()};
    link_socket = opened(socket(AF_PACKET, SOCK_RAW, 0), "packet socket");
    if (bind(link_socket, (const void*)&address, sizeof address) != 0) fail("bind");
}

static void send_packet(long count) {
    while (count > 0) {
        if (send(link_socket, frame, frame_size, 0) >= 0) {
            --count;
        } else if (errno != ENOBUFS) {
            fail("packet send");
        }
    }
}

enum { SLOTS = 1024 };
static char* ring;

static void prepare_ring(void) {
    prepare_packet();
    const int version = TPACKET_V2;
    const struct tpacket_req request = {.tp_block_size = SLOTS * FRAME,
                                        .tp_block_nr = 1,
                                        .tp_frame_size = FRAME,
                                        .tp_frame_nr = SLOTS};
    if (setsockopt(link_socket, SOL_PACKET, PACKET_VERSION, &version, sizeof version) != 0 ||
        setsockopt(link_socket, SOL_PACKET, PACKET_TX_RING, &request, sizeof request) != 0)
        cannot("PACKET_TX_RING");
    ring = mmap(NULL, SLOTS * FRAME, PROT_READ | PROT_WRITE, MAP_SHARED, link_socket, 0);
    if (ring == MAP_FAILED) cannot("mmap");
}

static void push_ring(int flags) {
    if (send(link_socket, NULL, 0, flags) < 0 && errno != ENOBUFS && errno != EAGAIN)
        fail("ring send");
}

static void send_ring(long count) {
    enum { ALIGNMENT = TPACKET_ALIGNMENT, HEADER = sizeof(struct tpacket2_hdr) };
    const size_t data = (HEADER + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    for (unsigned slot = 0; count > 0;) {
        struct tpacket2_hdr* const header = (void*)(ring + (size_t)slot * FRAME);
        if (__atomic_load_n(&header->tp_status, __ATOMIC_ACQUIRE) != TP_STATUS_AVAILABLE) {
            push_ring(0);
            continue;
        }
        memcpy((char*)header + data, frame, frame_size);
        header->tp_len = (unsigned)frame_size;
        __atomic_store_n(&header->tp_status, TP_STATUS_SEND_REQUEST, __ATOMIC_RELEASE);
        slot = (slot + 1) % SLOTS;
        if (--count % BURST == 0) push_ring(MSG_DONTWAIT);
    }
    push_ring(0);
}

#ifdef BENCH_PCAP
static pcap_t* capture;

static void prepare_pcap(void) {
    char error[PCAP_ERRBUF_SIZE];
    capture = pcap_create(device, error);
    if (!capture || pcap_set_snaplen(capture, 64) != 0 || pcap_activate(capture) < 0) {
        printf("libpcap: %s\n", capture ? pcap_geterr(capture) : error);
        exit(77);
    }
    pcap_setdirection(capture, PCAP_D_IN); /* its own packets don't come back */
}

static void send_pcap(long count) {
    while (count > 0) {
        if (pcap_inject(capture, frame, frame_size) >= 0) {
            --count;
        } else if (errno != ENOBUFS) {
            fail(pcap_geterr(capture));
        }
    }
}
#else
static void prepare_pcap(void) {
    printf("built without libpcap\n");
    exit(77);
}

static void send_pcap(long count) {
    (void)count;
}
#endif

#ifdef BENCH_XDP
static struct xsk_ring_prod filled, sending;
static struct xsk_ring_cons sent, received;
static struct xsk_umem* memory;
static struct xsk_socket* xdp;

/* In copy mode: veth has no other for who sends. */
static void prepare_xdp(void) {
    const size_t bytes = (size_t)SLOTS * FRAME;
    char* const frames =
        mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (frames == MAP_FAILED) fail("mmap");
    for (size_t i = 0; i < SLOTS; ++i)
        memcpy(frames + i * FRAME, frame, frame_size);
    int error = xsk_umem__create(&memory, frames, bytes, &filled, &sent, NULL);
    if (error == 0) {
        const struct xsk_socket_config config = {
            .rx_size = SLOTS,
            .tx_size = SLOTS,
            .libxdp_flags = XSK_LIBXDP_FLAGS__INHIBIT_PROG_LOAD,
            .bind_flags = XDP_COPY};
        error = xsk_socket__create(&xdp, device, queue, memory, &received, &sending, &config);
    }
    errno = error < 0 ? -error : error;
    if (error) cannot("AF_XDP");
}

static unsigned completed(void) {
    uint32_t at;
    const unsigned count = xsk_ring_cons__peek(&sent, BURST, &at);
    if (count) xsk_ring_cons__release(&sent, count);
    return count;
}

static void push_xdp(void) {
    if (sendto(xsk_socket__fd(xdp), NULL, 0, MSG_DONTWAIT, NULL, 0) < 0 && errno != EAGAIN &&
        errno != EBUSY && errno != ENOBUFS)
        fail("AF_XDP sendto");
}

static void send_xdp(long count) {
    unsigned under_way = 0, slot = 0;
    while (count > 0 || under_way > 0) {
        const unsigned burst = count < BURST ? (unsigned)count : BURST;
        uint32_t at;
        if (burst > 0 && under_way + burst <= SLOTS &&
            xsk_ring_prod__reserve(&sending, burst, &at) == burst) {
            for (unsigned i = 0; i < burst; ++i, slot = (slot + 1) % SLOTS)
                *xsk_ring_prod__tx_desc(&sending, at + i) =
                    (struct xdp_desc){.addr = (uint64_t)slot * FRAME, .len = (uint32_t)frame_size};
            xsk_ring_prod__submit(&sending, burst);
            under_way += burst;
            count -= burst;
        }
        push_xdp();
        under_way -= completed();
    }
}
#else
static void prepare_xdp(void) {
    printf("built without libxdp\n");
    exit(77);
}

static void send_xdp(long count) {
    (void)count;
}
#endif

static const struct way {
    const char* name;
    void (*prepare)(void);
    void (*send)(long count);
} ways[] = {{"connected", prepare_connected, send_connected},
            {"sendto", prepare_udp, send_to},
            {"sendmmsg", prepare_connected, send_many},
            {"raw", prepare_raw, send_raw},
            {"packet", prepare_packet, send_packet},
            {"ring", prepare_ring, send_ring},
            {"libpcap", prepare_pcap, send_pcap},
            {"xdp", prepare_xdp, send_xdp}};

int main(int argc, char** argv) {
    if (argc != 7) fail("usage: bench_senders WAY DEVICE PEER_MAC QUEUE SIZE COUNT");
    device = argv[2];
    queue = (unsigned)atoi(argv[4]);
    size = (unsigned)atoi(argv[5]);
    const struct way* way = ways;
    const struct way* const end = ways + sizeof ways / sizeof *ways;
    while (way < end && strcmp(way->name, argv[1]) != 0)
        ++way;
    if (way == end || size == 0 || size + HEADERS + ETH_HLEN > FRAME - 128) fail("way or size");
    make_frame(argv[3]);
    way->prepare();
    puts("ready");
    fflush(stdout);
    if (getchar() == EOF) return 1;
    const double start = now_us();
    way->send(atol(argv[6]));
    printf("%.6f %.6f\n", start / 1e6, now_us() / 1e6);
    return 0;
}
