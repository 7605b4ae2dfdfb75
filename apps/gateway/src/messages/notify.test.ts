import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Options, readOptions } from '@sluice/store/options/options'
import { openTestDatabase, type TestDatabase } from '@sluice/testkit/databases'
import { addUser } from '@sluice/testkit/rows'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { createAddressGuard } from '../outbound/address-guard.ts'
import { openGuardedClient } from '../outbound/guarded-client.ts'
import type { Mail } from './mail.ts'
import { createNotify } from './notify.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase('sqlite')
})
afterAll(() => database.close())

const guarded = openGuardedClient(createAddressGuard('allow'))
afterAll(() => guarded.close())

let answer: { status: number; body: string }
let seen: { type: string | undefined; json: unknown }[]
let mails: Mail[]
let lines: object[]
const read = async (request: IncomingMessage): Promise<string> => Buffer.concat(await request.toArray()).toString()
const server = createServer((request, reply) => {
  void read(request).then((body) => {
    seen.push({ type: request.headers['content-type'], json: JSON.parse(body) })
    reply.writeHead(answer.status).end(answer.body)
  })
})
let address: string
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/push/root`
})
afterAll(() => server.close())

const stopping = new AbortController()
beforeEach(async () => {
  await database.reset()
  seen = []
  mails = []
  lines = []
  answer = { status: 200, body: '{"success":true,"message":""}' }
})
afterEach(() => expect(JSON.stringify(lines)).not.toContain('pusher-token'))

function notifier(settings: Record<string, string>, queued = true) {
  const options = (): Options => readOptions(new Map(Object.entries(settings)), (sealed) => sealed).options
  const keep = (fields: object): void => void lines.push(fields)
  return createNotify({
    database,
    options,
    fetchGuarded: guarded.fetch,
    enqueueMail: async (_db, mail) => {
      mails.push(mail)
      return queued ? 'queued' : 'full'
    },
    signal: stopping.signal,
    log: { warn: keep, error: keep },
  })
}
const pusher = () => ({ MessagePusherAddress: address, MessagePusherToken: 'pusher-token', SystemName: 'House' })
const notice = { kind: 'channel_disabled', channel: 'east', id: 7, reason: 'invalid key' } as const
const addRoot = () => addUser(database.kysely, { username: 'root', role: 100, email: 'root@example.com' })

test('the message pusher gets title, description, content and token as JSON, and no mail is sent', async () => {
  await addRoot()
  await notifier(pusher())(notice)
  const title = 'House: channel east (#7) was disabled'
  const content = 'Channel east (#7) was disabled. Reason: invalid key'
  expect(seen).toEqual([
    { type: 'application/json', json: { title, description: title, content, token: 'pusher-token' } },
  ])
  expect(mails).toEqual([])
})

test('without a pusher root gets a mail', async () => {
  await addRoot()
  await notifier({})(notice)
  expect(mails).toEqual([{ ...notice, to: 'root@example.com' }])
})

test.each([
  [200, '{"success":false,"message":"pusher-token is wrong"}'],
  [200, 'pusher-token'],
  [500, '{"success":true}'],
  [302, ''],
])('when the pusher answers %i %s, mail is sent instead, and its words are not logged', async (status, body) => {
  await addRoot()
  answer = { status, body }
  await notifier(pusher())(notice)
  expect(mails).toHaveLength(1)
  expect(lines).toHaveLength(1)
})

test('a pusher at a forbidden address is not contacted', { tags: 'S5' }, async () => {
  await addRoot()
  await notifier({ ...pusher(), MessagePusherAddress: 'http://169.254.169.254/' })(notice)
  expect(seen).toEqual([])
  expect(mails).toHaveLength(1)
})

test('a notice that reaches no one is logged and stops nothing', async () => {
  await notifier({})(notice)
  await addRoot()
  await notifier({}, false)(notice)
  expect(lines).toEqual([{ notice: 'channel_disabled' }, { notice: 'channel_disabled' }])
})
