import { createHash } from 'node:crypto'

const PREFIX = 'sk-'
const HEAD = 16
const TAIL_BYTES = 16
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** The family's form: 16 of [0-9A-Za-z], then 32 hex digits with letters at even positions upper-cased. */
export function newTokenKey(randomBytes: (size: number) => Uint8Array): string {
  const tail = Buffer.from(randomBytes(TAIL_BYTES)).toString('hex')
  return newHead(randomBytes) + tail.replace(/(.)(.)/g, (_, even: string, odd: string) => even.toUpperCase() + odd)
}

export function shownKey(bare: string): string {
  return PREFIX + bare
}

/** The database finds keys by this hash: SHA-256 of the bare key, hex. The key is random, so no salt is needed. */
export function keyHash(bare: string): string {
  return createHash('sha256').update(bare).digest('hex')
}

/** Bytes of 248 and above are discarded, so that every character is equally likely. */
function newHead(randomBytes: (size: number) => Uint8Array): string {
  const fair = 256 - (256 % ALPHABET.length)
  let head = ''
  while (head.length < HEAD) {
    for (const byte of randomBytes(HEAD)) {
      if (byte < fair && head.length < HEAD) head += ALPHABET.charAt(byte % ALPHABET.length)
    }
  }
  return head
}
