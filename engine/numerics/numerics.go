// Package numerics names the digits that this program makes. Its test holds them: a table
// of digests for each target and method, the same on every processor and SIMD path.
package numerics

// Version is the number of the table of digests in testdata. It changes with the table, and
// with nothing else. A recording names the version that made it. Digests of another version
// cannot be compared.
const Version = 1
