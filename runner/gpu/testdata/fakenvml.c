/* A driver's library for tests: two cards whose answers a file sets while the test runs.
 *
 *   GPU_TEST_STATE   file of lines "CARD NAME VALUE", read at every call
 *   GPU_TEST_INIT    what the start returns instead of success
 *
 * Built with -DWITHOUT_ENERGY and -DWITHOUT_REASONS it lacks those functions, as old
 * drivers do.
 */
#define NVML_NO_UNVERSIONED_FUNC_DEFS
#include "nvml.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define CARDS 2
#define GIB (1024ull * 1024 * 1024)
#define EXPORT __attribute__((visibility("default"))) nvmlReturn_t

struct nvmlDevice_st {
    unsigned number;
    double joules, since;
};
static struct nvmlDevice_st cards[CARDS];

static double seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static long long setting(unsigned card, const char *name, long long otherwise) {
    const char *path = getenv("GPU_TEST_STATE");
    FILE *f = path ? fopen(path, "r") : NULL;
    char line[128], key[64];
    unsigned n;
    long long v;
    if (!f) return otherwise;
    while (fgets(line, sizeof line, f))
        if (sscanf(line, "%u %63s %lld", &n, key, &v) == 3 && n == card && !strcmp(key, name)) otherwise = v;
    fclose(f);
    return otherwise;
}

#define LOOK(d) do { if (setting((d).handle->number, "lost", 0)) return NVML_ERROR_GPU_IS_LOST; } while (0)
#define UNLESS(d, what) do { LOOK(d); if (setting((d).handle->number, "no_" what, 0)) return NVML_ERROR_NOT_SUPPORTED; } while (0)

static nvmlReturn_t say(char *to, unsigned room, const char *text) {
    if (strlen(text) >= room) return NVML_ERROR_INSUFFICIENT_SIZE;
    strcpy(to, text);
    return NVML_SUCCESS;
}

static double watts(nvmlDevice_t d) { return setting(d.handle->number, "milliwatts", 100000) / 1000.0; }

EXPORT nvmlInit_v2(void) {
    const char *code = getenv("GPU_TEST_INIT");
    if (code && atoi(code)) return (nvmlReturn_t)atoi(code);
    for (unsigned i = 0; i < CARDS; i++) cards[i] = (struct nvmlDevice_st){i, 0, seconds()};
    return NVML_SUCCESS;
}
EXPORT nvmlInitWithFlags(unsigned f) { (void)f; return nvmlInit_v2(); }
EXPORT nvmlShutdown(void) { return NVML_SUCCESS; }
const char *nvmlErrorString(nvmlReturn_t r) {
    return r == NVML_ERROR_NOT_SUPPORTED ? "Not Supported" : r == NVML_ERROR_GPU_IS_LOST ? "GPU is lost" : "Other";
}
EXPORT nvmlSystemGetDriverVersion(char *s, unsigned n) { return say(s, n, "test-driver-1"); }
EXPORT nvmlDeviceGetCount_v2(unsigned *n) { *n = CARDS; return NVML_SUCCESS; }
EXPORT nvmlDeviceGetHandleByIndex_v2(unsigned i, nvmlDevice_t *d) {
    if (i >= CARDS) return NVML_ERROR_INVALID_ARGUMENT;
    d->handle = &cards[i];
    return NVML_SUCCESS;
}
EXPORT nvmlDeviceGetName(nvmlDevice_t d, char *s, unsigned n) { LOOK(d); return say(s, n, "Test Card 96GB"); }
EXPORT nvmlDeviceGetUUID(nvmlDevice_t d, char *s, unsigned n) { LOOK(d); return say(s, n, d.handle->number ? "GPU-test-1" : "GPU-test-0"); }
EXPORT nvmlDeviceGetArchitecture(nvmlDevice_t d, nvmlDeviceArchitecture_t *a) { UNLESS(d, "architecture"); *a = (unsigned)setting(d.handle->number, "architecture", 10); return NVML_SUCCESS; }
EXPORT nvmlDeviceGetCudaComputeCapability(nvmlDevice_t d, int *x, int *y) { LOOK(d); *x = 12; *y = 0; return NVML_SUCCESS; }
EXPORT nvmlDeviceGetPciInfo_v3(nvmlDevice_t d, nvmlPciInfo_t *p) { LOOK(d); memset(p, 0, sizeof *p); snprintf(p->busId, sizeof p->busId, "00000000:0%u:00.0", d.handle->number + 1); return NVML_SUCCESS; }
EXPORT nvmlDeviceGetCurrPcieLinkGeneration(nvmlDevice_t d, unsigned *v) { LOOK(d); *v = 5; return NVML_SUCCESS; }
EXPORT nvmlDeviceGetCurrPcieLinkWidth(nvmlDevice_t d, unsigned *v) { UNLESS(d, "width"); *v = 16; return NVML_SUCCESS; }
EXPORT nvmlDeviceGetEnforcedPowerLimit(nvmlDevice_t d, unsigned *v) { LOOK(d); *v = 600000; return NVML_SUCCESS; }
EXPORT nvmlDeviceGetMemoryInfo_v2(nvmlDevice_t d, nvmlMemory_v2_t *m) {
    UNLESS(d, "memory");
    m->total = 96 * GIB;
    m->used = (unsigned long long)setting(d.handle->number, "used_mib", 1024) * 1024 * 1024;
    m->free = m->total - m->used;
    return NVML_SUCCESS;
}
EXPORT nvmlDeviceGetPowerUsage(nvmlDevice_t d, unsigned *v) { UNLESS(d, "power"); *v = (unsigned)(watts(d) * 1000); return NVML_SUCCESS; }
#ifndef WITHOUT_ENERGY
EXPORT nvmlDeviceGetTotalEnergyConsumption(nvmlDevice_t d, unsigned long long *v) {
    UNLESS(d, "energy");
    double t = seconds();
    d.handle->joules += watts(d) * (t - d.handle->since) * setting(d.handle->number, "counter_percent", 100) / 100;
    d.handle->since = t;
    *v = (unsigned long long)(d.handle->joules * 1000);
    return NVML_SUCCESS;
}
#endif
EXPORT nvmlDeviceGetClockInfo(nvmlDevice_t d, nvmlClockType_t t, unsigned *v) { LOOK(d); *v = t == NVML_CLOCK_MEM ? 14001 : (unsigned)setting(d.handle->number, "mhz", 2400); return NVML_SUCCESS; }
EXPORT nvmlDeviceGetTemperature(nvmlDevice_t d, nvmlTemperatureSensors_t s, unsigned *v) { (void)s; LOOK(d); *v = (unsigned)setting(d.handle->number, "celsius", 60); return NVML_SUCCESS; }
EXPORT nvmlDeviceGetUtilizationRates(nvmlDevice_t d, nvmlUtilization_t *u) { LOOK(d); u->gpu = 50; u->memory = 10; return NVML_SUCCESS; }
#ifndef WITHOUT_REASONS
EXPORT nvmlDeviceGetCurrentClocksEventReasons(nvmlDevice_t d, unsigned long long *v) { LOOK(d); *v = (unsigned long long)setting(d.handle->number, "reasons", 0); return NVML_SUCCESS; }
#endif
EXPORT nvmlDeviceGetCurrentClocksThrottleReasons(nvmlDevice_t d, unsigned long long *v) { LOOK(d); *v = (unsigned long long)setting(d.handle->number, "reasons", 0); return NVML_SUCCESS; }
EXPORT nvmlDeviceGetTopologyCommonAncestor(nvmlDevice_t a, nvmlDevice_t b, nvmlGpuTopologyLevel_t *l) { LOOK(a); LOOK(b); *l = NVML_TOPOLOGY_NODE; return NVML_SUCCESS; }
EXPORT nvmlDeviceGetP2PStatus(nvmlDevice_t a, nvmlDevice_t b, nvmlGpuP2PCapsIndex_t c, nvmlGpuP2PStatus_t *s) { (void)c; LOOK(a); LOOK(b); *s = (nvmlGpuP2PStatus_t)setting(0, "p2p", 0); return NVML_SUCCESS; }
EXPORT nvmlDeviceGetComputeRunningProcesses_v3(nvmlDevice_t d, unsigned *n, nvmlProcessInfo_t *p) {
    LOOK(d);
    unsigned pid = (unsigned)setting(d.handle->number, "pid", 0);
    if (pid && *n < 1) { *n = 1; return NVML_ERROR_INSUFFICIENT_SIZE; }
    if (pid) { p[0].pid = pid; p[0].usedGpuMemory = 2 * GIB; }
    *n = pid ? 1 : 0;
    return NVML_SUCCESS;
}
