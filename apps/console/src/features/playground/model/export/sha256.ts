/** Round constants and start values of FIPS 180-4: fractions of the roots of the first primes. */
const PRIMES = firstPrimes(64)
const ROUND = Int32Array.from(PRIMES, (prime) => fraction(Math.cbrt(prime)))
const START = Int32Array.from(PRIMES.slice(0, 8), (prime) => fraction(Math.sqrt(prime)))

function firstPrimes(count: number): readonly number[] {
  const primes: number[] = []
  for (let n = 2; primes.length < count; n += 1) if (primes.every((prime) => n % prime !== 0)) primes.push(n)
  return primes
}

function fraction(root: number): number {
  return Math.floor((root % 1) * 2 ** 32)
}

const BLOCK = 64

/** SHA-256 in hexadecimal. `crypto.subtle` exists only on secure pages, and consoles are also served over plain http. */
export function sha256(bytes: Uint8Array): string {
  const state = START.slice()
  const words = new Int32Array(64)
  const whole = bytes.length - (bytes.length % BLOCK)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  for (let at = 0; at < whole; at += BLOCK) mix(state, words, view, at)
  const rest = bytes.subarray(whole)
  // One bit, zeros, and the length in bits.
  const tail = new Uint8Array(rest.length + 9 <= BLOCK ? BLOCK : 2 * BLOCK)
  tail.set(rest)
  tail[rest.length] = 0x80
  const tailView = new DataView(tail.buffer)
  tailView.setBigUint64(tail.length - 8, BigInt(bytes.length) * 8n)
  for (let at = 0; at < tail.length; at += BLOCK) mix(state, words, tailView, at)
  return Array.from(new Uint32Array(state), (word) => word.toString(16).padStart(8, '0')).join('')
}

const turn = (word: number, by: number) => (word >>> by) | (word << (32 - by))

/** Plain loops over signed words, because this runs over megabytes. */
function mix(state: Int32Array, words: Int32Array, bytes: DataView, at: number): void {
  for (let i = 0; i < 16; i += 1) words[i] = bytes.getInt32(at + 4 * i)
  for (let i = 16; i < 64; i += 1) {
    const near = words[i - 2] ?? 0
    const far = words[i - 15] ?? 0
    const s0 = turn(far, 7) ^ turn(far, 18) ^ (far >>> 3)
    const s1 = turn(near, 17) ^ turn(near, 19) ^ (near >>> 10)
    words[i] = ((words[i - 16] ?? 0) + s0 + (words[i - 7] ?? 0) + s1) | 0
  }
  let a = state[0] ?? 0
  let b = state[1] ?? 0
  let c = state[2] ?? 0
  let d = state[3] ?? 0
  let e = state[4] ?? 0
  let f = state[5] ?? 0
  let g = state[6] ?? 0
  let h = state[7] ?? 0
  for (let i = 0; i < 64; i += 1) {
    const s1 = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + (ROUND[i] ?? 0) + (words[i] ?? 0)) | 0
    const s0 = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0
    h = g
    g = f
    f = e
    e = (d + t1) | 0
    d = c
    c = b
    b = a
    a = (t1 + t2) | 0
  }
  const mixed = [a, b, c, d, e, f, g, h]
  for (let i = 0; i < 8; i += 1) state[i] = ((state[i] ?? 0) + (mixed[i] ?? 0)) | 0
}
