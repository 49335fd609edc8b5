/* SGLD and pSGLD without Gamma on the small tanh networks of regress (1-16-1, 40 points, minibatches of 10) and
 * classify (2-10-1, 200 points, 20) as a bare loop, xoshiro256+ and the polar method: what .ci/see compares the program with.
 *   cc -O2 see.c -o see -lm && ./see regress psgld
 * Prints steps per second of processor time. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static uint64_t s[4] = {1, 2, 3, 4};
static inline uint64_t rot(uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }
static inline double u(void) {
  uint64_t r = s[0] + s[3], t = s[1] << 17;
  s[2] ^= s[0]; s[3] ^= s[1]; s[1] ^= s[2]; s[0] ^= s[3]; s[2] ^= t; s[3] = rot(s[3], 45);
  return (double)(r >> 11) * 0x1p-53;
}

static double spare;
static int has_spare;
static double normal(void) {
  double x, y, q;
  if (has_spare) { has_spare = 0; return spare; }
  do { x = 2 * u() - 1; y = 2 * u() - 1; q = x * x + y * y; } while (q >= 1 || q == 0);
  q = sqrt(-2 * log(q) / q);
  spare = y * q; has_spare = 1;
  return x * q;
}

int main(int argc, char **argv) {
  if (argc != 3) return 2;
  const int plane = !strcmp(argv[1], "classify"), precond = !strcmp(argv[2], "psgld");
  const int in = plane ? 2 : 1, h = plane ? 10 : 16, N = plane ? 200 : 40, n = plane ? 20 : 10, D = (in + 2) * h + 1;
  const double noise = 0.3, alpha = 0.99, lambda = 1e-2, eps = plane ? (precond ? 1e-4 : 3e-3) : 2e-4;
  double X[400], Y[200], th[64], g[64], V[64] = {0}, a[16];
  int at[200];
  for (int i = 0; i < N; i++) {
    at[i] = i;
    for (int k = 0; k < in; k++) X[i * in + k] = 4 * u() - 2;
    Y[i] = plane ? X[2 * i] * X[2 * i + 1] > 0 : sin(2 * X[i]) + 0.3 * X[i] + noise * normal();
  }
  for (int i = 0; i < D; i++) th[i] = normal();
  double *b = th + in * h, *v = b + h, *gb = g + in * h, *gv = gb + h;
  long steps = 0;
  clock_t from = clock();
  while (clock() - from < 4 * CLOCKS_PER_SEC)
    for (int k = 0; k < 1000; k++, steps++) {
      memset(g, 0, sizeof g);
      for (int i = 0; i < n; i++) {
        int j = i + (int)(u() * (N - i)), row = at[j];
        at[j] = at[i]; at[i] = row;
        const double *x = X + row * in;
        double z = v[h];
        for (int j = 0; j < h; j++) {
          double t = b[j];
          for (int k = 0; k < in; k++) t += x[k] * th[k * h + j];
          a[j] = tanh(t);
          z += a[j] * v[j];
        }
        double r = plane ? Y[row] - 1 / (1 + exp(-z)) : (Y[row] - z) / (noise * noise);
        for (int j = 0; j < h; j++) {
          double d = r * v[j] * (1 - a[j] * a[j]);
          gv[j] += r * a[j];
          gb[j] += d;
          for (int k = 0; k < in; k++) g[k * h + j] += d * x[k];
        }
        gv[h] += r;
      }
      for (int i = 0; i < D; i++) {
        double m = g[i] / n, G = 1;
        if (precond) {
          V[i] = alpha * V[i] + (1 - alpha) * m * m;
          G = 1 / (lambda + sqrt(V[i]));
        }
        th[i] += eps / 2 * G * (N * m - th[i]) + sqrt(eps * G) * normal();
      }
    }
  printf("%.0f\n", steps / ((double)(clock() - from) / CLOCKS_PER_SEC));
  return th[0] != th[0];
}
