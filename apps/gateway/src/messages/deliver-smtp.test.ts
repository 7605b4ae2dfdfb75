// @module-tag slow
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { selfSigned } from '@sluice/testkit/certificate'
import { type MailServer, type MailServerRules, startMailServer } from '@sluice/testkit/servers/mail-server'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createAddressGuard, isPrivateAddress } from '../outbound/address-guard.ts'
import { createSmtpDelivery } from './deliver-smtp.ts'
import type { OutgoingMail } from './delivery.ts'
import type { SmtpTransport } from './mail-transport.ts'

const trusted = selfSigned()
const unknown = selfSigned()
const systemCertificates = getCACertificates('default')
beforeAll(() => setDefaultCACertificates([...systemCertificates, trusted.cert]))
afterAll(() => setDefaultCACertificates(systemCertificates))

const servers: MailServer[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})
async function serve(rules: MailServerRules = {}): Promise<MailServer> {
  const server = await startMailServer(rules)
  servers.push(server)
  return server
}

const deps = { guard: createAddressGuard('allow'), isNearby: isPrivateAddress, verifyCertificate: true }
const deliver = createSmtpDelivery(deps)
/** Treats this machine as if it were on the internet. */
const deliverFar = createSmtpDelivery({ ...deps, isNearby: () => false })
const to = (port: number, more: Partial<SmtpTransport> = {}): SmtpTransport => ({
  by: 'smtp',
  host: 'localhost',
  port,
  implicitTls: false,
  security: 'when_offered',
  account: '',
  password: '',
  from: { name: 'Sluice', address: 'gateway@example.com' },
  ...more,
})
const mail: OutgoingMail = {
  to: 'ann@example.com',
  subject: 'Hello',
  text: 'Good morning',
  html: '<p>Good morning</p>',
  deliveryId: 'sluice-1-7',
}
const LOGIN = { user: 'mailer', password: 'open sesame' }
const AS_MAILER = { account: LOGIN.user, password: LOGIN.password }
const signal = new AbortController().signal

describe('a mail over SMTP', () => {
  test('arrives whole, with both texts, from the sender of the settings', async () => {
    const server = await serve()
    expect(await deliver(to(server.port), mail, signal)).toEqual({ ok: true })
    const [got] = server.received
    expect(got).toMatchObject({ from: 'gateway@example.com', to: ['ann@example.com'], isEncrypted: false, account: '' })
    expect(got?.headers).toContain('From: Sluice <gateway@example.com>')
    expect(got?.headers).toContain('To: ann@example.com')
    expect(got?.headers).toContain('Subject: Hello')
    expect(got?.headers).toContain('Message-ID: <sluice-1-7@example.com>')
    expect(got?.body).toContain('Good morning')
    expect(got?.body).toContain('<p>Good morning</p>')
  })

  test('signs in under STARTTLS', async () => {
    const server = await serve({ certificate: trusted, login: LOGIN })
    expect(await deliver(to(server.port, AS_MAILER), mail, signal)).toEqual({ ok: true })
    expect(server.received).toMatchObject([{ isEncrypted: true, account: 'mailer' }])
  })

  test('signs in under TLS from the first byte', async () => {
    const server = await serve({ certificate: trusted, implicitTls: true, login: LOGIN })
    expect(await deliver(to(server.port, { ...AS_MAILER, implicitTls: true }), mail, signal)).toEqual({ ok: true })
    expect(server.received).toMatchObject([{ isEncrypted: true, account: 'mailer' }])
  })

  test('takes STARTTLS where it is offered, without a sign-in too', async () => {
    const server = await serve({ certificate: trusted })
    expect(await deliver(to(server.port), mail, signal)).toEqual({ ok: true })
    expect(server.received).toMatchObject([{ isEncrypted: true }])
  })

  test('keeps unusual words in subject and text', async () => {
    const server = await serve()
    await deliver(to(server.port), { ...mail, subject: '您的验证码' }, signal)
    const encoded = /Subject: =\?UTF-8\?B\?([\w+/=]+)\?=/i.exec(server.received[0]?.headers ?? '')?.[1]
    expect(Buffer.from(encoded ?? '', 'base64').toString()).toBe('您的验证码')
  })

  test('waits after a temporary refusal and gives up after a final one', async () => {
    const busy = await serve({ refuseRecipient: () => ({ code: 451, text: '4.7.1 try later, dear ann' }) })
    expect(await deliver(to(busy.port), mail, signal)).toEqual({
      ok: false,
      permanent: false,
      problem: expect.stringMatching(/^the mail server answered 451/),
    })
    const strict = await serve({ refuseRecipient: () => ({ code: 550, text: 'no such user' }) })
    expect(await deliver(to(strict.port), mail, signal)).toMatchObject({ ok: false, permanent: true })
  })

  test('waits when no server listens, and when it is cut', async () => {
    const server = await startMailServer()
    await server.close()
    expect(await deliver(to(server.port), mail, signal)).toMatchObject({ ok: false, permanent: false })
    const other = await serve()
    expect(await deliver(to(other.port), mail, AbortSignal.abort())).toMatchObject({ ok: false, permanent: false })
    expect(other.received).toEqual([])
  })

  test('ends at its time limit when the server accepts the connection and says nothing', async () => {
    const sockets: Socket[] = []
    const silent = createServer((socket) => void sockets.push(socket))
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    const { port } = silent.address() as AddressInfo
    const ended = deliver(to(port), mail, AbortSignal.timeout(300))
    expect(await ended).toMatchObject({ ok: false, permanent: false })
    expect(sockets).toHaveLength(1)
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => silent.close(resolve))
  })
})

describe('a mail server on loopback or a private network', () => {
  test.each(['when_offered', 'none'] as const)('takes mail and a sign-in without TLS: %s', async (security) => {
    const server = await serve({ login: LOGIN })
    expect(await deliver(to(server.port, { ...AS_MAILER, security }), mail, signal)).toEqual({ ok: true })
    expect(server.received).toMatchObject([{ isEncrypted: false, account: 'mailer' }])
  })

  test('may have an untrusted certificate where TLS is not required', async () => {
    const server = await serve({ certificate: unknown, login: LOGIN })
    expect(await deliver(to(server.port, AS_MAILER), mail, signal)).toEqual({ ok: true })
    expect(server.received).toMatchObject([{ isEncrypted: true }])
  })

  test('gets mail without TLS, even if it offers it, where the setting says none', async () => {
    const server = await serve({ certificate: unknown })
    expect(await deliver(to(server.port, { security: 'none' }), mail, signal)).toEqual({ ok: true })
    expect(server.received).toMatchObject([{ isEncrypted: false }])
  })

  test('is the only kind that gets mail without TLS under that setting', async () => {
    const server = await serve()
    expect(await deliverFar(to(server.port, { security: 'none' }), mail, signal)).toEqual({
      ok: false,
      permanent: false,
      problem: expect.stringContaining('loopback or a private network'),
    })
    expect(server.received).toEqual([])
  })
})

describe('security', () => {
  test('a refused sign-in waits, and its report repeats neither name nor password', { tags: 'S20' }, async () => {
    const server = await serve({ certificate: trusted, login: LOGIN })
    const answer = await deliver(to(server.port, { account: 'mailer', password: 'canary-password' }), mail, signal)
    expect(answer).toMatchObject({ ok: false, permanent: false, problem: expect.stringContaining('535') })
    expect(JSON.stringify(answer)).not.toMatch(/canary|mailer/)
  })

  test('a password is never sent in the clear to the internet: no STARTTLS, no delivery', async () => {
    const server = await serve({ login: LOGIN })
    for (const security of ['require', 'when_offered', 'none'] as const) {
      const answer = await deliverFar(to(server.port, { ...AS_MAILER, security }), mail, signal)
      expect(answer, security).toMatchObject({ ok: false, permanent: false })
    }
    expect(server.received).toEqual([])
  })

  test('no mail leaves in the clear where TLS is required, and the report names the setting', async () => {
    const server = await serve()
    for (const send of [deliver, deliverFar]) {
      const answer = await send(to(server.port, { security: 'require' }), mail, signal)
      expect(answer).toEqual({ ok: false, permanent: false, problem: expect.stringContaining('SMTPTransportSecurity') })
    }
    expect(server.received).toEqual([])
  })

  test.each([
    ['STARTTLS', false],
    ['implicit TLS', true],
  ])('an untrusted certificate is refused over %s, unless the operator says otherwise', async (_, implicitTls) => {
    const server = await serve({ certificate: unknown, implicitTls })
    for (const [send, security] of [[deliver, 'require'] as const, [deliverFar, 'when_offered'] as const]) {
      const answer = await send(to(server.port, { implicitTls, security }), mail, signal)
      expect(answer).toMatchObject({ ok: false, permanent: false })
    }
    expect(server.received).toEqual([])
    const trusting = createSmtpDelivery({ ...deps, verifyCertificate: false })
    expect(await trusting(to(server.port, { implicitTls, security: 'require' }), mail, signal)).toEqual({ ok: true })
  })

  test('a mail server at a forbidden address is not contacted', { tags: 'S4' }, async () => {
    const server = await serve()
    const strict = createSmtpDelivery({ ...deps, guard: createAddressGuard('deny') })
    for (const host of ['127.0.0.1', 'localhost']) {
      expect(await strict(to(server.port, { host }), mail, signal)).toMatchObject({
        ok: false,
        problem: 'the address of the mail server is not allowed',
      })
    }
    expect(server.connections()).toBe(0)
  })

  test.each([
    'ann@example.com\r\nRCPT TO:<eve@example.com>',
    'ann@example.com, eve@example.com',
    'ann@example.com>\r\nDATA',
    '"Ann" <ann@example.com>, eve@example.com',
  ])('a recipient cannot name a second one: %j', async (recipient) => {
    const server = await serve()
    await deliver(to(server.port), { ...mail, to: recipient }, signal)
    for (const got of server.received) {
      expect(got.to).toHaveLength(1)
      expect(got.to[0]).not.toBe('eve@example.com')
    }
  })

  test('a subject cannot end its header', async () => {
    const server = await serve()
    await deliver(to(server.port), { ...mail, subject: 'Hi\r\nBcc: eve@example.com\r\n\r\nbody' }, signal)
    expect(server.received[0]?.to).toEqual(['ann@example.com'])
    expect(server.received[0]?.headers).not.toMatch(/^bcc:/im)
  })
})
