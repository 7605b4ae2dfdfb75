import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createAddressGuard } from '../outbound/address-guard.ts'
import { openGuardedClient } from '../outbound/guarded-client.ts'
import { createResendDelivery } from './deliver-resend.ts'
import type { OutgoingMail } from './delivery.ts'

const guarded = openGuardedClient(createAddressGuard('allow'))
let status = 200
let seen: { request: IncomingMessage; json: unknown }[] = []
const server = createServer((request, reply) => {
  void request.toArray().then((chunks) => {
    seen.push({ request, json: JSON.parse(Buffer.concat(chunks).toString()) })
    reply.writeHead(status).end('{"id":"49a3999c","message":"canary-key"}')
  })
})
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)))
afterAll(async () => {
  server.close()
  await guarded.close()
})
beforeEach(() => {
  seen = []
})

const transport = { by: 'resend', key: 'canary-key', from: { name: 'House', address: 'house@example.com' } } as const
const mail: OutgoingMail = {
  to: 'ann@example.com',
  subject: 'Hi',
  text: 'Hello',
  html: '<p>Hello</p>',
  deliveryId: 'sluice-1-2',
}
const send = () => {
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return createResendDelivery(guarded.fetch, base)(transport, mail, new AbortController().signal)
}

test('one mail is one call, with an id by which a repetition is recognised', async () => {
  status = 200
  expect(await send()).toEqual({ ok: true })
  const [call] = seen
  expect(call?.request.method).toBe('POST')
  expect(call?.request.url).toBe('/emails')
  expect(call?.request.headers).toMatchObject({ authorization: 'Bearer canary-key', 'idempotency-key': 'sluice-1-2' })
  const { to, subject, text, html } = mail
  expect(call?.json).toEqual({ from: 'House <house@example.com>', to: [to], subject, text, html })
})

test.each([
  [401, false],
  [429, false],
  [500, false],
  [422, true],
])('after %i the mail is over: %s; the text of the reply is not repeated', async (answered, permanent) => {
  status = answered
  expect(await send()).toEqual({ ok: false, permanent, problem: `Resend answered ${answered}` })
})
