import { describe, expect, it } from 'vitest'
import { invitationLink } from './personal-tab.tsx'

describe('invitation link', () => {
  it('leads to the registration form at the public address, with the code', { tags: 'B2.14' }, () => {
    expect(invitationLink('https://ai.example/', 'a-B_1', 'http://127.0.0.1:3000')).toBe(
      'https://ai.example/register?aff=a-B_1',
    )
  })

  it.each(['', 'http://localhost:3000'])('points to where the console runs when the address is %j', (address) => {
    expect(invitationLink(address, 'a&b', 'http://10.0.0.7')).toBe('http://10.0.0.7/register?aff=a%26b')
  })
})
