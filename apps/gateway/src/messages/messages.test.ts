// @module-tag slow
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { updateOption } from '@sluice/contract/routes/options'
import { selfSigned } from '@sluice/testkit/certificate'
import { type Emulator, startEmulator } from '@sluice/testkit/emulator/server'
import { type GatewayWorld, openGatewayWorld } from '@sluice/testkit/gateway-world'
import { signIn } from '@sluice/testkit/management-client'
import { type MailServer, startMailServer } from '@sluice/testkit/servers/mail-server'
import { OIDC_CLIENT, type OidcProvider, startOidcProvider } from '@sluice/testkit/servers/oidc-provider'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

/** The whole gateway, a mail server that wants TLS and a password, and an OpenID Connect provider. */
let world: GatewayWorld
let mails: MailServer
let emulator: Emulator
let provider: OidcProvider

const certificate = selfSigned()
const systemCertificates = getCACertificates('default')
const LOGIN = { user: 'mailer@example.com', password: 'canary-smtp-password' }

beforeAll(async () => {
  setDefaultCACertificates([...systemCertificates, certificate.cert])
  mails = await startMailServer({ certificate, login: LOGIN })
  emulator = await startEmulator()
  provider = await startOidcProvider()
  world = await openGatewayWorld()
  await world.addChannel(emulator.url, ['emu-fast'])
  const settings = {
    SMTPServer: 'localhost',
    SMTPPort: mails.port,
    SMTPAccount: LOGIN.user,
    SMTPToken: LOGIN.password,
    EmailVerificationEnabled: true,
    QuotaRemindThreshold: 100_000,
    OidcClientId: OIDC_CLIENT.id,
    OidcClientSecret: OIDC_CLIENT.secret,
    OidcWellKnown: `${provider.url}/.well-known/openid-configuration`,
    OidcEnabled: true,
  }
  for (const [key, value] of Object.entries(settings)) await world.root.call(updateOption, { body: { key, value } })
})
afterAll(async () => {
  await world.close()
  await Promise.all([mails.close(), emulator.close(), provider.close()])
  setDefaultCACertificates(systemCertificates)
})

async function mailTo(address: string): Promise<{ readonly headers: string; readonly text: string }> {
  return await vi.waitFor(
    () => {
      const mail = mails.received.find(({ to }) => to.includes(address))
      if (mail === undefined) throw new Error(`no mail to ${address}`)
      expect(mail).toMatchObject({ isEncrypted: true, account: LOGIN.user })
      const parts = mail.body.split(/base64\r\n\r\n/).map((part) => Buffer.from(part, 'base64').toString())
      return { headers: mail.headers, text: mail.body + parts.join('') }
    },
    { timeout: 40_000, interval: 50 },
  )
}

test('a person signs up with the code that came by mail', async () => {
  const headers = { 'content-type': 'application/json' }
  await fetch(`${world.url}/api/verification?email=ann@example.com`)
  const { text } = await mailTo('ann@example.com')
  const code = /^([A-Z0-9]{6})\s*$/m.exec(text)?.[1]
  const body = { username: 'ann', password: 'a good password', email: 'ann@example.com', verification_code: code }
  const reply = await fetch(`${world.url}/api/user/register`, { method: 'POST', headers, body: JSON.stringify(body) })
  expect(await reply.json()).toMatchObject({ success: true })
  await signIn(world.url, 'ann', 'a good password')
  expect(world.log.join('')).not.toMatch(new RegExp(`canary|${code}`))
})

test('a call that leaves little quota is followed by one reminder', async () => {
  const user = await world.addUser('bob', 50_000, { email: 'bob@example.com' })
  const key = await world.addToken(user)
  for (let call = 0; call < 3; call++) expect((await world.chat(key, { model: 'emu-fast' })).status).toBe(200)
  const { headers } = await mailTo('bob@example.com')
  expect(headers).toMatch(/^Subject: /m)
  expect(await world.rows("select count(*) as count from outbox where kind = 'quota_low'")).toMatchObject([
    { count: 1 },
  ])
})

test('a person signs in with OpenID Connect', async () => {
  const begun = await fetch(`${world.url}/api/oauth/state?provider=oidc`)
  const cookie = begun.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  const { authorization_url: page } = (await begun.json()) as { authorization_url: string }
  const back = new URL((await fetch(page, { redirect: 'manual' })).headers.get('location') ?? '')
  expect(back.pathname).toBe('/oauth/oidc')
  const ended = await fetch(`${world.url}/api/oauth/oidc${back.search}`, { headers: { cookie } })
  expect(await ended.json()).toMatchObject({ success: true, data: { role: 1 } })
  const session =
    ended.headers
      .getSetCookie()
      .find((line) => line.startsWith('session='))
      ?.split(';')[0] ?? ''
  const self = await fetch(`${world.url}/api/user/self`, { headers: { cookie: session } })
  expect(await self.json()).toMatchObject({ success: true, data: { oidc_id: 'person-1' } })
  expect(world.log.join('')).not.toMatch(/canary/)
})
