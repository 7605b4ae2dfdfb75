import { createHmac, timingSafeEqual } from 'node:crypto'

/** RFC 6238 with values that every authenticator app supports: SHA-1, six digits, 30 seconds. */
const STEP_MS = 30_000
const DIGITS = 6
/** 160 bits, as RFC 4226 section 4 requires. */
const SECRET_BYTES = 20
/** Steps that a phone's clock can be off, either way. */
const SKEW = 1

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

export function newTotpSecret(randomBytes: (size: number) => Uint8Array): string {
  return toBase32(randomBytes(SECRET_BYTES))
}

/** The step (30 seconds since 1970) of a code; undefined when it is none of those around `now` (unix ms). */
export function totpStep(secret: string, code: string, now: number): number | undefined {
  const given = Buffer.from(code)
  if (given.length !== DIGITS) return undefined
  const key = fromBase32(secret)
  const current = Math.floor(now / STEP_MS)
  let found: number | undefined
  // All steps are computed, so that the time taken does not reveal the match.
  for (let step = current - SKEW; step <= current + SKEW; step++) {
    if (timingSafeEqual(given, Buffer.from(codeOf(key, step)))) found = step
  }
  return found
}

/** The content of the QR code for authenticator apps: https://github.com/google/google-authenticator/wiki/Key-Uri-Format */
export function totpAddress(secret: string, username: string, issuer: string): string {
  // The colon separates issuer and name; neither may contain one.
  const label = [issuer, username].map((part) => encodeURIComponent(part.replaceAll(':', ' '))).join(':')
  return `otpauth://totp/${label}?secret=${secret}&issuer=${encodeURIComponent(issuer)}&algorithm=SHA1&digits=6&period=30`
}

/** RFC 4226 section 5.3. */
function codeOf(key: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const digest = createHmac('sha1', key).update(counter).digest()
  const offset = digest.readUInt8(digest.length - 1) & 0xf
  const number = digest.readUInt32BE(offset) & 0x7fff_ffff
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0')
}

/** RFC 4648 section 6, without padding. */
export function toBase32(bytes: Uint8Array): string {
  let text = ''
  let held = 0
  let bits = 0
  for (const byte of bytes) {
    held = (held << 8) | byte
    bits += 8
    for (; bits >= 5; bits -= 5) text += BASE32.charAt((held >> (bits - 5)) & 31)
    held &= (1 << bits) - 1
  }
  return bits === 0 ? text : text + BASE32.charAt((held << (5 - bits)) & 31)
}

function fromBase32(text: string): Uint8Array {
  const bytes: number[] = []
  let held = 0
  let bits = 0
  for (const character of text) {
    held = (held << 5) | Math.max(0, BASE32.indexOf(character))
    bits += 5
    if (bits < 8) continue
    bits -= 8
    bytes.push(held >> bits)
    held &= (1 << bits) - 1
  }
  return Uint8Array.from(bytes)
}
