import { CHARGE_CLASSES as SHOWN } from '@sluice/contract/receipt'
import { CHARGE_CLASSES as CHARGED } from '@sluice/ledger/itemise'
import { expect, test } from 'vitest'

test('receipts and exports know every class that the ledger charges, in its order', () => {
  expect(SHOWN).toEqual(CHARGED)
})
