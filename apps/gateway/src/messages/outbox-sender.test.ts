// @module-tag slow
import { randomBytes, randomUUID } from 'node:crypto'
import type { Options } from '@sluice/store/options/options'
import { readOptions } from '@sluice/store/options/options'
import { listMessages } from '@sluice/store/queries/outbox'
import { createVault } from '@sluice/store/vault'
import { openTestDatabase, type TestDatabase } from '@sluice/testkit/databases'
import { type ManualTimers, openManualTimers } from '@sluice/testkit/manual-timers'
import { type MailServer, type MailServerRules, startMailServer } from '@sluice/testkit/servers/mail-server'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { createAddressGuard, isPrivateAddress } from '../outbound/address-guard.ts'
import { createSmtpDelivery } from './deliver-smtp.ts'
import type { Deliver, OutgoingMail } from './delivery.ts'
import type { EnqueueMail } from './mail.ts'
import { openOutboxSender, type OutboxSender, retryDelay, SENDER_LIMITS } from './outbox-sender.ts'
import { createOutbox } from './outbox.ts'

const smtp = createSmtpDelivery({
  guard: createAddressGuard('allow'),
  isNearby: isPrivateAddress,
  verifyCertificate: true,
})
const overSmtp: Deliver = async (transport, mail, signal) =>
  transport.by === 'smtp' ? await smtp(transport, mail, signal) : { ok: false, permanent: true, problem: 'not SMTP' }

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase('sqlite')
})
afterAll(() => database.close())

let timers: ManualTimers
let settings: Record<string, string>
let server: MailServer
let senders: OutboxSender[]
let lines: object[]
const vault = createVault([randomBytes(32)])
const options = (): Options => readOptions(new Map(Object.entries(settings)), (sealed) => sealed).options

beforeEach(async () => {
  await database.reset()
  timers = openManualTimers()
  senders = []
  lines = []
  await use({})
})
afterEach(async () => {
  await Promise.all(senders.map((sender) => sender.close(AbortSignal.abort())))
  await server.close()
})

async function use(rules: MailServerRules): Promise<void> {
  server = await startMailServer(rules)
  settings = {
    SMTPServer: 'localhost',
    SMTPPort: String(server.port),
    SMTPFrom: 'gateway@example.com',
    SMTPTransportSecurity: 'none',
  }
}

function start(deliver: Deliver = overSmtp): OutboxSender {
  const keep = (fields: object): void => void lines.push(fields)
  const sender = openOutboxSender({
    database,
    vault,
    options,
    deliver,
    timers,
    now: timers.now,
    random: () => 0,
    newId: () => randomUUID(),
    log: { debug: keep, warn: keep, error: keep },
  })
  senders.push(sender)
  return sender
}

function outbox(wake = (): void => {}): EnqueueMail {
  return createOutbox({ vault, options, now: timers.now, wake })
}

const code = (to = 'ann@example.com') =>
  ({ to, language: 'en', kind: 'verification_code', code: 'K3Y9QT', minutes: 10 }) as const
const plain = (to = 'ann@example.com') => ({ to, kind: 'plain', subject: 'News', text: 'All is well' }) as const
const rows = async (state: 'waiting' | 'sent' | 'dead') =>
  (await listMessages(database.kysely, state, { limit: 100, offset: 0 })).rows
/** Waits until this many attempts have finished: each logs a line. */
const attempted = (count: number) => eventually(async () => expect(lines).toHaveLength(count))
const eventually = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 20_000, interval: 10 })

describe('mail in the outbox', () => {
  test('goes out soon after it was put in', async () => {
    const sender = start()
    expect(await outbox(() => sender.wake())(database.kysely, code())).toBe('queued')
    await timers.advance(SENDER_LIMITS.wakeMs)
    await eventually(async () => expect(await rows('sent')).toHaveLength(1))
    expect(server.received[0]?.body).toContain('K3Y9QT')
    expect(server.received[0]?.headers).toContain('Subject: Sluice: your verification code')
  })

  test('goes out at the next round when another process put it in', async () => {
    start()
    await outbox()(database.kysely, plain())
    await timers.advance(SENDER_LIMITS.pollMs)
    await eventually(async () => expect(await rows('sent')).toHaveLength(1))
  })

  test('is not there when its transaction is rolled back', async () => {
    const undone = database.kysely.transaction().execute(async (trx) => {
      await outbox()(trx, plain())
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    expect(await rows('waiting')).toEqual([])
  })

  test('is sent once by two senders, however many mails there are', async () => {
    const mails = Array.from({ length: 25 }, (_, i) => `user${i}@example.com`)
    for (const to of mails) await outbox()(database.kysely, plain(to))
    start()
    start()
    await timers.advance(SENDER_LIMITS.pollMs)
    await eventually(async () => expect(await rows('sent')).toHaveLength(mails.length))
    expect(server.received.flatMap(({ to }) => to).toSorted()).toEqual(mails.toSorted())
  })

  test('is tried again after a temporary failure, later each time, and then arrives under the same id', async () => {
    let refusals = 2
    await server.close()
    await use({ refuseRecipient: () => (refusals-- > 0 ? { code: 451, text: 'busy' } : undefined) })
    start()
    await outbox()(database.kysely, plain())
    await timers.advance(SENDER_LIMITS.pollMs)
    await attempted(1)
    expect(await rows('waiting')).toMatchObject([{ attempts: 1, problem: expect.stringContaining('451') }])
    expect((await rows('waiting'))[0]?.due).toBe(timers.now() + SENDER_LIMITS.firstRetryMs)
    await timers.advance(SENDER_LIMITS.firstRetryMs)
    await attempted(2)
    await timers.advance(2 * SENDER_LIMITS.firstRetryMs)
    await attempted(3)
    expect(await rows('sent')).toMatchObject([{ attempts: 3, problem: '' }])
    expect(server.received).toHaveLength(1)
  })

  test('is given up, visibly and without its content, when the server refuses it for good', async () => {
    await server.close()
    await use({ refuseRecipient: () => ({ code: 550, text: 'no such user' }) })
    start()
    await outbox()(database.kysely, code())
    await timers.advance(SENDER_LIMITS.pollMs)
    await eventually(async () =>
      expect(await rows('dead')).toMatchObject([
        { recipient: 'ann@example.com', problem: expect.stringContaining('550') },
      ]),
    )
    expect(await database.kysely.selectFrom('outbox').select('content_sealed').execute()).toEqual([
      { content_sealed: '' },
    ])
  })

  test('is given up after the last attempt', async () => {
    start(async () => ({ ok: false, permanent: false, problem: 'down' }))
    await outbox()(database.kysely, plain())
    for (let attempt = 1; attempt <= SENDER_LIMITS.maxAttempts; attempt++) {
      expect(await rows('dead')).toEqual([])
      await timers.advance(attempt === 1 ? SENDER_LIMITS.pollMs : retryDelay(attempt - 1, 0))
      await attempted(attempt)
    }
    expect(await rows('dead')).toHaveLength(1)
  })

  test('is not sent when it comes too late to be of use', async () => {
    await outbox()(database.kysely, code())
    await timers.sleep(11 * 60_000)
    start()
    await timers.advance(SENDER_LIMITS.pollMs)
    await eventually(async () => expect(await rows('dead')).toMatchObject([{ problem: 'it was too late to send it' }]))
    expect(server.connections()).toBe(0)
  })

  test('is taken over when its sender has died, and the dead one no longer changes anything', async () => {
    let finish = (): void => {}
    const stuck = start(
      () => new Promise((resolve) => (finish = () => resolve({ ok: false, permanent: true, problem: 'late' }))),
    )
    await outbox()(database.kysely, plain())
    await timers.advance(SENDER_LIMITS.pollMs)
    await eventually(async () => expect(await rows('waiting')).toMatchObject([{ attempts: 1 }]))
    start()
    await timers.advance(SENDER_LIMITS.leaseMs)
    await eventually(async () => expect(await rows('sent')).toMatchObject([{ attempts: 2 }]))
    finish()
    await stuck.close()
    expect(await rows('sent')).toHaveLength(1)
    expect(await rows('dead')).toEqual([])
  })

  test('is waited for when it is on its way as the process stops; nothing new is begun', async () => {
    let finish = (): void => {}
    const begun: OutgoingMail[] = []
    const sender = start((_transport, mail) => {
      begun.push(mail)
      return new Promise((resolve) => (finish = () => resolve({ ok: true })))
    })
    await outbox()(database.kysely, plain())
    await timers.advance(SENDER_LIMITS.pollMs)
    await eventually(async () => expect(begun).toHaveLength(1))
    await outbox()(database.kysely, plain('bob@example.com'))
    const closed = sender.close()
    finish()
    await closed
    expect(await rows('sent')).toMatchObject([{ recipient: 'ann@example.com' }])
    expect(await rows('waiting')).toMatchObject([{ recipient: 'bob@example.com', attempts: 0 }])
  })

  test('waits for a mail server to be set up again, and for a password to be corrected', async () => {
    start()
    await outbox()(database.kysely, plain())
    const { SMTPServer: host = '', ...rest } = settings
    settings = rest
    await timers.advance(SENDER_LIMITS.pollMs)
    await eventually(async () => expect(await rows('waiting')).toMatchObject([{ problem: 'no mail server is set up' }]))
    settings = { ...rest, SMTPServer: host }
    await timers.advance(SENDER_LIMITS.firstRetryMs)
    await eventually(async () => expect(await rows('sent')).toHaveLength(1))
  })
})

describe('the outbox refuses', () => {
  test('mail without a mail server, and mail to anything but one address', async () => {
    settings = {}
    expect(await outbox()(database.kysely, plain())).toBe('not_configured')
    await use({})
    for (const to of [
      '',
      'ann',
      'ann@',
      'a@b.c\r\nBcc: eve@x.y',
      'a@b.c,eve@x.y',
      'Ann <a@b.c>',
      'a b@c.d',
      `${'a'.repeat(250)}@b.c`,
    ]) {
      expect(await outbox()(database.kysely, plain(to))).toBe('bad_address')
    }
    expect(await rows('waiting')).toEqual([])
  })
})

test('neither the database nor the log shows what a mail says', { tags: 'S20' }, async () => {
  start()
  await outbox()(database.kysely, code())
  expect(JSON.stringify(await database.kysely.selectFrom('outbox').selectAll().execute())).not.toContain('K3Y9QT')
  await timers.advance(SENDER_LIMITS.pollMs)
  await eventually(async () => expect(lines).toHaveLength(1))
  expect(JSON.stringify(lines)).not.toMatch(/K3Y9QT|ann@/)
})

test('the time between attempts doubles up to an hour, and chance shortens it by at most a quarter', () => {
  expect([1, 2, 3, 9, 10].map((attempts) => retryDelay(attempts, 0))).toEqual([
    15_000, 30_000, 60_000, 3_600_000, 3_600_000,
  ])
  expect(retryDelay(1, 1)).toBe(11_250)
})
