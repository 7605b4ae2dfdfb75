import { expect, test } from 'vitest'
import { paymentAddress } from './topup-page.tsx'

const payer = { id: 7, username: 'ann & bob' }

test('the shop receives the payer and a payment id', { tags: 'C7.14' }, () => {
  expect(paymentAddress('https://shop.test/pay?plan=1&user_id=9#top', payer, 'the-uuid')).toBe(
    'https://shop.test/pay?plan=1&user_id=7&username=ann+%26+bob&transaction_id=the-uuid#top',
  )
})

test.each(['', '  ', 'shop', '/shop', 'javascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd'])(
  'a link that is not a web address leads nowhere: %j',
  { tags: 'S14' },
  (link) => {
    expect(paymentAddress(link, payer, 'the-uuid')).toBeUndefined()
  },
)
