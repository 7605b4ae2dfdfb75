import { compareSync, hashSync } from 'bcryptjs'
import { describe, expect, it } from 'vitest'
import { decoyHash, importedCost, isPlainForBcrypt } from './imported-hash.ts'

const TAIL = 'N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy'

describe('an imported hash', () => {
  it.each(['$2a$10$', '$2b$10$', '$2y$10$'])('begins with %s, of the cost that it says', (head) => {
    expect(importedCost(`${head}${TAIL}`)).toBe(10)
  })

  it.each([
    ['of no known kind', `$2x$10$${TAIL}`],
    ['of a hash of ours', 'argon2id$19456$2$1$c2FsdA$dGFn'],
    ['that is too cheap to be one', `$2a$03$${TAIL}`],
    ['that would take seconds', `$2a$15$${TAIL}`],
    ['that would take days', `$2a$31$${TAIL}`],
    ['of no cost', `$2a$xx$${TAIL}`],
    ['that is cut off', `$2a$10$${TAIL.slice(1)}`],
    ['with more behind it', `$2a$10$${TAIL}\n`],
    ['with more before it', ` $2a$10$${TAIL}`],
    ['in another alphabet', `$2a$10$${TAIL.replace('q', '+')}`],
    ['of NUL', `$2a$10$${'\0'.repeat(53)}`],
    ['of nothing', ''],
  ])('cannot be a text %s', (_, stored) => {
    expect(importedCost(stored)).toBeUndefined()
  })

  it('is made up where there is none, at the same cost, and fits nothing', () => {
    const decoy = decoyHash(4, new Uint8Array(40).fill(7))
    expect(importedCost(decoy)).toBe(4)
    expect(compareSync('', decoy)).toBe(false)
  })
})

describe('a password that bcrypt cannot tell from another', () => {
  it('is longer than it reads, or has NUL in it', () => {
    expect(isPlainForBcrypt('x'.repeat(72))).toBe(true)
    expect(isPlainForBcrypt('x'.repeat(73))).toBe(false)
    expect(isPlainForBcrypt('é'.repeat(37))).toBe(false)
    expect(isPlainForBcrypt('a\0a')).toBe(false)
    // bcrypt ignores all bytes after the 72nd.
    expect(compareSync('x'.repeat(73), hashSync('x'.repeat(72), 4))).toBe(true)
    expect(compareSync('a\0a', hashSync('a', 4))).toBe(true)
  })
})
