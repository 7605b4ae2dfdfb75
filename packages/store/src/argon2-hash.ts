/** An argon2id hash of a password. `memory` is in KiB. */
export interface Argon2Hash {
  readonly memory: number
  readonly passes: number
  readonly parallelism: number
  readonly salt: Uint8Array
  readonly tag: Uint8Array
}

/**
 * How much work checking a hash may cost, since anyone can try a password. Our own hashes take 19,456 KiB and two passes; the upper
 * bounds allow about ten times that work. Node refuses numbers below the lower ones.
 */
const BOUNDS = {
  memory: [8, 65_536],
  passes: [1, 8],
  parallelism: [1, 4],
  saltBytes: [8, 64],
  tagBytes: [16, 64],
} as const
const HASH = /^argon2id\$(\d{1,5})\$(\d)\$(\d)\$([\w-]{11,86})\$([\w-]{22,86})$/

/** `argon2id$memory$passes$lanes$salt$tag`, salt and tag in base64url. */
export function writeArgon2({ memory, passes, parallelism, salt, tag }: Argon2Hash): string {
  const [saltText, tagText] = [salt, tag].map((bytes) => Buffer.from(bytes).toString('base64url'))
  return `argon2id$${memory}$${passes}$${parallelism}$${saltText}$${tagText}`
}

/** Undefined for any other text, and for a hash whose check costs more than one attempt may. */
export function readArgon2(stored: string): Argon2Hash | undefined {
  const match = HASH.exec(stored)
  if (match === null) return undefined
  const [, memory, passes, parallelism, salt = '', tag = ''] = match
  const hash = {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    salt: Buffer.from(salt, 'base64url'),
    tag: Buffer.from(tag, 'base64url'),
  }
  const isBounded =
    isWithin(hash.memory, BOUNDS.memory) &&
    isWithin(hash.passes, BOUNDS.passes) &&
    isWithin(hash.parallelism, BOUNDS.parallelism) &&
    isWithin(hash.salt.byteLength, BOUNDS.saltBytes) &&
    isWithin(hash.tag.byteLength, BOUNDS.tagBytes)
  // Each lane needs eight blocks of 1 KiB.
  return isBounded && hash.memory >= 8 * hash.parallelism ? hash : undefined
}

function isWithin(value: number, [least, most]: readonly [number, number]): boolean {
  return value >= least && value <= most
}
