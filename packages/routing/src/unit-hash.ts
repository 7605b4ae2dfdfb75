/** Two halves of an unfinished hash. */
export interface HashSeed {
  readonly low: number
  readonly high: number
}

/** Hashes a text once, to be combined with many names. */
export function seedOf(text: string): HashSeed {
  let low = 0x9e3779b9
  let high = 0x243f6a88
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    low = Math.imul(low ^ unit, 0x9e3779b1)
    high = Math.imul(high ^ unit, 0x5f356495)
    low ^= high >>> 15
  }
  return { low, high: high ^ text.length }
}

/** Above 0, at most 1, with 53 bits, evenly spread, the same on every machine. Not secret: no security may depend on it. */
export function unitOf({ low, high }: HashSeed, name: string): number {
  let a = low
  let b = high
  for (let at = 0; at < name.length; at++) {
    const unit = name.charCodeAt(at)
    a = Math.imul(a ^ unit, 0x9e3779b1)
    b = Math.imul(b ^ unit, 0x5f356495)
    a ^= b >>> 15
  }
  a = mixed(a ^ Math.imul(b, 0x2545f491))
  b = mixed(b ^ Math.imul(a, 0x27d4eb2f))
  return ((b & 0x1fffff) * 2 ** 32 + (a >>> 0) + 1) / 2 ** 53
}

/** The finalizer of MurmurHash3: every bit of the input affects half of the bits. */
function mixed(half: number): number {
  let bits = half
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b)
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35)
  return bits ^ (bits >>> 16)
}
