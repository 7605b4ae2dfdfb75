import { testHold, testSettle } from '@sluice/testkit/ledger-operations'
import { expect, it } from 'vitest'
import { mayWait } from './may-wait.ts'

const payer = { userId: 1, tokenId: 1, account: 2, limitAccount: 3 }
const soon = { ...testHold(payer, 'a', 1), durable: false }

it('lets holds wait that nobody acts on before the next commit, and nothing else', () => {
  expect(mayWait([soon, { ...soon, requestId: 'b' }])).toBe(true)
  expect(mayWait([soon, testHold(payer, 'b', 1)])).toBe(false)
  expect(mayWait([soon, testSettle(payer, 'b', 1)])).toBe(false)
  expect(mayWait([{ op: 'void', requestId: 'a' }])).toBe(false)
  expect(mayWait([{ op: 'recover' }])).toBe(false)
  expect(mayWait([])).toBe(false)
})
