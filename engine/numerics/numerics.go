// Package numerics names the digits that this program makes. Its test holds them: a table
// of digests for each target and method, the same on every processor and SIMD path.
package numerics

// Version is the number of the digests in testdata's table. It changes where one of them does,
// and with nothing else: a lane that is added to the table changes none. A recording names the
// version that made it. Digests of another version cannot be compared.
const Version = 1
