import { mq } from '@sluice/ledger/units'
import { type Options, readOptions } from '@sluice/store/options'
import { openTestDatabase, type TestDatabase } from '@sluice/testkit/databases'
import { type ManualTimers, openManualTimers } from '@sluice/testkit/manual-timers'
import { addUser } from '@sluice/testkit/rows'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { EnqueueAnswer, Mail } from './mail.ts'
import { openQuotaReminder, type QuotaReminder } from './quota-reminder.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase('sqlite')
})
afterAll(() => database.close())

let timers: ManualTimers
let reminder: QuotaReminder
let mails: Mail[]
let answer: EnqueueAnswer
let failures: unknown[]
let ann: number
const settings: Record<string, string> = { QuotaRemindThreshold: '1000', TopUpLink: 'https://pay.example.com/' }
const options = (): Options => readOptions(new Map(Object.entries(settings)), (sealed) => sealed).options

beforeEach(async () => {
  await database.reset()
  timers = openManualTimers()
  mails = []
  failures = []
  answer = 'queued'
  ann = await addUser(database.kysely, { username: 'ann', email: 'ann@example.com' }, { posted: 5_000_000n })
  reminder = open()
})
afterEach(async () => {
  await reminder.close()
  expect(failures).toEqual([])
})

function open(): QuotaReminder {
  return openQuotaReminder({
    database,
    ledger: { knownBalance: (account) => ({ account, available: mq(balance), unlimited: false, seen: timers.now() }) },
    options,
    enqueueMail: async (_db, mail) => {
      if (answer === 'queued') mails.push(mail)
      return answer
    },
    timers,
    now: timers.now,
    log: { error: (fields) => void failures.push(fields) },
  })
}

/** What the books and this process say the account has, mq. */
let balance = 5_000_000n
async function setBalance(posted: bigint): Promise<void> {
  balance = posted
  await database.kysely.updateTable('account').set({ posted }).where('owner_id', '=', ann).execute()
}
async function charge(posted: bigint, by = reminder): Promise<void> {
  await setBalance(posted)
  by.charged({ account: 1, userId: ann })
}
/** Lets every timer fall due once or more, and what they start come to its end. */
async function pass(): Promise<void> {
  await timers.advance(60_000)
  for (let i = 0; i < 5; i++) await database.kysely.selectFrom('user').select('id').execute()
}
const reminded = (count: number) =>
  vi.waitFor(() => expect(mails).toHaveLength(count), { timeout: 20_000, interval: 10 })

test('a user is reminded when a charge takes the balance below the threshold, not at it', async () => {
  await charge(1_000_000n)
  await pass()
  expect(mails).toEqual([])
  await charge(999_999n)
  await pass()
  await reminded(1)
  expect(mails).toEqual([
    { kind: 'quota_low', to: 'ann@example.com', username: 'ann', quota: 999, link: 'https://pay.example.com/' },
  ])
})

test('one crossing is one mail, whatever is charged after it, by whichever process, and after a restart', async () => {
  const other = open()
  await charge(500_000n)
  await charge(400_000n, other)
  await pass()
  await reminded(1)
  await charge(300_000n)
  await pass()
  await other.close()
  await reminder.close()
  reminder = open()
  await charge(-5n)
  await pass()
  await reminded(1)
})

test('after a top-up the next crossing is reminded of again', async () => {
  await charge(500_000n)
  await pass()
  await reminded(1)
  await setBalance(2_000_000n)
  await pass()
  await charge(10n)
  await pass()
  await reminded(2)
})

test('a reminder that found no place is tried again at the next charge', async () => {
  answer = 'not_configured'
  await charge(500_000n)
  await pass()
  expect(await database.kysely.selectFrom('quota_reminder').selectAll().execute()).toEqual([])
  answer = 'queued'
  await charge(400_000n)
  await pass()
  await reminded(1)
})

test('a user without an address is left in peace', async () => {
  await database.kysely.updateTable('user').set({ email: '' }).execute()
  await charge(1n)
  await pass()
  expect(mails).toEqual([])
})
