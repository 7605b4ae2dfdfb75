import { type Options, readOptions } from '@sluice/store/options/options'
import { openTestDatabase, type TestDatabase } from '@sluice/testkit/databases'
import { type ManualTimers, openManualTimers } from '@sluice/testkit/manual-timers'
import { addToken, addUser } from '@sluice/testkit/rows'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { openLedgerEvents } from './ledger-events.ts'
import type { EnqueueAnswer, Mail, Notice } from './mail.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase('sqlite')
})
afterAll(() => database.close())

let timers: ManualTimers
let mails: Mail[]
let notices: Notice[]
let answer: EnqueueAnswer
let failures: unknown[]
let isFull: boolean
let account: number
let events: ReturnType<typeof open>
const settings: Record<string, string> = { QuotaRemindThreshold: '1000', TopUpLink: 'https://pay.example.com/' }
const options = (): Options => readOptions(new Map(Object.entries(settings)), (sealed) => sealed).options

const open = () =>
  openLedgerEvents({
    database,
    options,
    enqueueMail: async (_db, mail) => {
      if (isFull) throw new Error('the disk is full')
      if (answer === 'queued') mails.push(mail)
      return answer
    },
    notify: async (notice) => void notices.push(notice),
    timers,
    log: { error: (fields) => void failures.push(fields) },
  })

beforeEach(async () => {
  await database.reset()
  timers = openManualTimers()
  mails = []
  notices = []
  failures = []
  isFull = false
  answer = 'queued'
  const ann = await addUser(database.kysely, { username: 'ann', email: 'ann@example.com' }, { posted: 999_999n })
  const row = await database.kysely.selectFrom('account').select('id').where('owner_id', '=', ann).executeTakeFirst()
  account = row?.id ?? 0
  events = open()
})
afterEach(async () => {
  await events.close()
  expect(failures).toEqual([])
})

type Kind = 'balance_low' | 'budget_low' | 'charge_corrected'
const write = (kind: Kind, subject = '', amount = 0n, owner = account) =>
  database.kysely.insertInto('ledger_event').values({ kind, account: owner, subject, amount }).execute()
const waiting = async () => (await database.kysely.selectFrom('ledger_event').selectAll().execute()).length
async function look(): Promise<void> {
  await timers.advance(5_000)
  await events.close()
  events = open()
}
const low = { kind: 'quota_low', to: 'ann@example.com', username: 'ann', quota: 999, link: 'https://pay.example.com/' }

test('a user whose balance fell is reminded once', async () => {
  await write('balance_low')
  await look()
  await look()
  expect(mails).toEqual([low])
  expect(await waiting()).toBe(0)
})

test('two replicas that look at the same moment send one reminder', async () => {
  const other = open()
  await write('balance_low')
  await look()
  await other.close()
  expect(mails).toEqual([low])
})

test('a balance that has recovered meanwhile is not mentioned', async () => {
  await database.kysely.updateTable('account').set({ posted: 1_000_000n }).execute()
  await write('balance_low')
  await look()
  expect(mails).toEqual([])
  expect(await waiting()).toBe(0)
})

test('a reminder that does not fit into the outbox waits for the next poll', async () => {
  answer = 'full'
  await write('balance_low')
  await look()
  expect(await waiting()).toBe(1)
  answer = 'queued'
  await look()
  expect(mails).toEqual([low])
})

test.each<EnqueueAnswer>(['not_configured', 'bad_address'])('nothing waits when the answer is %s', async (given) => {
  answer = given
  await write('balance_low')
  await look()
  expect(await waiting()).toBe(0)
})

test('users who are disabled or have no address get no mail', async () => {
  await database.kysely.updateTable('user').set({ email: '' }).execute()
  await write('balance_low')
  await look()
  await database.kysely.updateTable('user').set({ email: 'ann@example.com', status: 2 }).execute()
  await write('balance_low')
  await look()
  expect(mails).toEqual([])
  expect(await waiting()).toBe(0)
})

test('the owner is notified of the budget of an account, and of a token by its name', async () => {
  await write('budget_low', 'month', 50_000n)
  const { id: ann } = await database.kysely.selectFrom('user').select('id').executeTakeFirstOrThrow()
  await addToken(database.kysely, { user_id: ann, name: 'laptop' })
  const limit = await database.kysely
    .selectFrom('account')
    .select('id')
    .where('kind', '=', 'token')
    .executeTakeFirstOrThrow()
  await write('budget_low', 'day', 7_000n, limit.id)
  await look()
  const notice = { kind: 'budget_low', to: 'ann@example.com', username: 'ann' }
  expect(mails).toEqual([
    { ...notice, token: '', period: 'month', quota: 50 },
    { ...notice, token: 'laptop', period: 'day', quota: 7 },
  ])
})

test('operators get one notice for all corrections found at the same time', async () => {
  await write('charge_corrected', 'first', 5n)
  await write('charge_corrected', 'second', -5n)
  await look()
  expect(notices).toEqual([{ kind: 'charges_corrected', count: 2, requestId: 'first' }])
  expect(await waiting()).toBe(0)
})

test('operators hear of a correction although another event cannot be dealt with at the moment', async () => {
  await write('charge_corrected', 'first', 5n)
  await write('balance_low')
  isFull = true
  await look()
  expect(notices).toEqual([{ kind: 'charges_corrected', count: 1, requestId: 'first' }])
  expect([failures.length, await waiting()]).toEqual([1, 1])
  failures = []
  isFull = false
  await look()
  expect([mails, notices.length, await waiting()]).toEqual([[low], 1, 0])
})
