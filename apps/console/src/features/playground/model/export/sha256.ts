/** Round constants and start values of FIPS 180-4: fractions of the roots of the first primes. */
const PRIMES = firstPrimes(64)
const ROUND = Uint32Array.from(PRIMES, (prime) => fraction(Math.cbrt(prime)))
const START = Uint32Array.from(PRIMES.slice(0, 8), (prime) => fraction(Math.sqrt(prime)))

function firstPrimes(count: number): readonly number[] {
  const primes: number[] = []
  for (let n = 2; primes.length < count; n += 1) if (primes.every((prime) => n % prime !== 0)) primes.push(n)
  return primes
}

function fraction(root: number): number {
  return Math.floor((root % 1) * 2 ** 32)
}

const BLOCK = 64

/** SHA-256 in hexadecimal. `crypto.subtle` exists on secure pages only, and consoles are served over plain http as well. */
export function sha256(bytes: Uint8Array): string {
  const state = START.slice()
  const words = new Uint32Array(64)
  const whole = bytes.length - (bytes.length % BLOCK)
  for (let at = 0; at < whole; at += BLOCK) mix(state, words, new DataView(bytes.buffer, bytes.byteOffset + at, BLOCK))
  const rest = bytes.subarray(whole)
  // One bit, zeros, and the length in bits.
  const tail = new Uint8Array(rest.length + 9 <= BLOCK ? BLOCK : 2 * BLOCK)
  tail.set(rest)
  tail[rest.length] = 0x80
  new DataView(tail.buffer).setBigUint64(tail.length - 8, BigInt(bytes.length) * 8n)
  for (let at = 0; at < tail.length; at += BLOCK) mix(state, words, new DataView(tail.buffer, at, BLOCK))
  return Array.from(state, (word) => word.toString(16).padStart(8, '0')).join('')
}

const turn = (word: number, by: number) => (word >>> by) | (word << (32 - by))

function mix(state: Uint32Array, words: Uint32Array, block: DataView): void {
  const word = (index: number) => words[index] ?? 0
  for (let i = 0; i < 16; i += 1) words[i] = block.getUint32(4 * i)
  for (let i = 16; i < 64; i += 1) {
    const [near, far] = [word(i - 2), word(i - 15)]
    const s0 = turn(far, 7) ^ turn(far, 18) ^ (far >>> 3)
    const s1 = turn(near, 17) ^ turn(near, 19) ^ (near >>> 10)
    words[i] = word(i - 16) + s0 + word(i - 7) + s1
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state
  for (let i = 0; i < 64; i += 1) {
    const s1 = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + (ROUND[i] ?? 0) + word(i)) | 0
    const s0 = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0
    ;[h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) | 0, c, b, a, (t1 + t2) | 0]
  }
  for (const [index, value] of [a, b, c, d, e, f, g, h].entries()) state[index] = (state[index] ?? 0) + value
}
