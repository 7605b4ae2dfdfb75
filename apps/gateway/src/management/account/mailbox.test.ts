import { expect, it } from 'vitest'
import { mailboxOf } from './new-account.ts'

it.each([
  ['Ann@Example.org', 'ann@example.org'],
  ['ann+anything+more@example.org', 'ann@example.org'],
  ['a.n.n@example.org', 'a.n.n@example.org'],
  ['A.n.n+x@GoogleMail.com', 'ann@gmail.com'],
  ['ann@sub.gmail.com', 'ann@sub.gmail.com'],
  ['ann@xgmail.com', 'ann@xgmail.com'],
])('%s leads to %s', (address, mailbox) => {
  expect(mailboxOf(address)).toBe(mailbox)
})
