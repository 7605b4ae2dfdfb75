import { ROLE } from '@sluice/contract/capability'
import { CHANNEL_STATUS } from '@sluice/contract/channel'
import { TRANSACTION_STATUS } from '@sluice/contract/key-holder'
import { LOG_TYPE } from '@sluice/contract/log'
import { REDEMPTION_STATUS } from '@sluice/contract/redemption'
import { TOKEN_STATUS } from '@sluice/contract/token'
import { USER_STATUS } from '@sluice/contract/user'
import * as ledger from '@sluice/ledger/rules/rows'
import * as stored from '@sluice/store/statuses'
import { expect, it } from 'vitest'

it('stores statuses, types and roles as the contract shows them', () => {
  expect({ ...stored }).toEqual({
    USER_STATUS,
    ROLE,
    TOKEN_STATUS,
    CHANNEL_STATUS,
    REDEMPTION_STATUS,
    TRANSACTION_STATUS,
    LOG_TYPE,
  })
})

it('has the ledger write the same', () => {
  expect(stored.LOG_TYPE).toMatchObject(ledger.LOG_TYPE)
  expect(stored.REDEMPTION_STATUS).toMatchObject(ledger.REDEMPTION_STATUS)
})
