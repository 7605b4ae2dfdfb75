import { describe, expect, it } from 'vitest'
import { invitationLink } from './invitation-link.ts'

describe('invitation link', () => {
  it('leads to the registration form at the public address, with the code [B2.14]', () => {
    expect(invitationLink('https://ai.example/', 'http://127.0.0.1:3000', 'a-B_1')).toBe(
      'https://ai.example/register?aff=a-B_1',
    )
  })

  it('leads to where the console is when no public address is set', () => {
    expect(invitationLink('', 'http://127.0.0.1:3000', 'a&b')).toBe('http://127.0.0.1:3000/register?aff=a%26b')
  })
})
