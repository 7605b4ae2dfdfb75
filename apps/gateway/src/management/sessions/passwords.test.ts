import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createPasswords } from './passwords.ts'

const passwords = createPasswords((size) => randomBytes(size))

const hash = async (password: string): Promise<string> => {
  const hashed = await passwords.hash(password)
  if (hashed === 'busy') throw new Error('busy')
  return hashed.hash
}

describe('a password', () => {
  it('is recognised by its hash, and no other password is', async () => {
    const stored = await hash('correct horse')
    expect(stored).toMatch(/^argon2id\$19456\$2\$1\$[\w-]{22}\$[\w-]{43}$/)
    expect(await passwords.verify('correct horse', stored)).toBe(true)
    expect(await passwords.verify('correct horsE', stored)).toBe(false)
    expect(await passwords.verify('', stored)).toBe(false)
  })

  it('has a different hash every time', async () => {
    expect(await hash('x')).not.toBe(await hash('x'))
  })

  it('never fits a missing or foreign hash, and takes the same work', async () => {
    expect(await passwords.verify('x', undefined)).toBe(false)
    expect(await passwords.verify('x', '')).toBe(false)
    expect(await passwords.verify('x', '$2a$10$abcdefghijklmnopqrstuv')).toBe(false)
  })

  it.each([
    ['ten gigabytes', 'argon2id$9999999$2$1$'],
    ['99 passes', 'argon2id$19456$99$1$'],
    ['no pass', 'argon2id$19456$0$1$'],
    ['no lane', 'argon2id$19456$2$0$'],
    ['less memory than its lanes need', 'argon2id$8$2$4$'],
  ])('never fits a hash that demands %s, and takes the same work', async (_, head) => {
    expect(await passwords.verify('x', `${head}${'A'.repeat(22)}$${'A'.repeat(43)}`)).toBe(false)
  })

  it('waits in a queue of limited length', async () => {
    const crowd = await Promise.all(Array.from({ length: 40 }, () => passwords.verify('x', undefined)))
    expect(crowd.filter((answer) => answer === 'busy')).toHaveLength(6)
    expect(await passwords.verify('x', undefined)).toBe(false)
  })
})
