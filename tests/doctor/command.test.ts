// @module-tag slow
import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DoctorReport } from '@sluice/contract/doctor'
import { createChannel } from '@sluice/contract/routes/channels'
import { startLedgerCheck } from '@sluice/contract/routes/ledger'
import { updateOption } from '@sluice/contract/routes/options'
import { selfSigned } from '@sluice/testkit/certificate'
import { type Emulator, startEmulator } from '@sluice/testkit/emulator/server'
import { type GatewayProcess, ROOT_PASSWORD, runSluice, startGateway } from '@sluice/testkit/gateway-process'
import { type ManagementClient, signIn } from '@sluice/testkit/management-client'
import { type MailServer, startMailServer } from '@sluice/testkit/servers/mail-server'
import { OIDC_CLIENT, type OidcProvider, startOidcProvider } from '@sluice/testkit/servers/oidc-provider'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const SECRET = 'canary-mail-password'
/** The test machine may have a low limit on open files. */
const ENV = { SLUICE_MAX_REQUESTS: '100' }

let dataDir: string
let gateway: GatewayProcess
let root: ManagementClient
let mail: MailServer
let oidc: OidcProvider
let emulator: Emulator

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'sluice-doctor-'))
  await chmod(dataDir, 0o700)
  gateway = await startGateway({ dataDir, env: ENV })
  root = await signIn(gateway.url, 'root', ROOT_PASSWORD)
  mail = await startMailServer({ certificate: selfSigned(), login: { user: 'sluice', password: SECRET } })
  oidc = await startOidcProvider()
  emulator = await startEmulator()
})
afterAll(async () => {
  await gateway.stop()
  await mail.close()
  await oidc.close()
  await emulator.close()
  await rm(dataDir, { recursive: true, force: true })
})

const set = async (options: Readonly<Record<string, string | number | boolean>>) => {
  for (const [key, value] of Object.entries(options)) await root.call(updateOption, { body: { key, value } })
}
const doctor = async (
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<{ readonly code: number; readonly report: DoctorReport }> => {
  const { code, output } = await runSluice(['doctor', '--json', ...args], { dataDir, env: { ...ENV, ...env } })
  return { code, report: JSON.parse(output) as DoctorReport }
}
const idsOf = ({ findings }: DoctorReport): readonly string[] => findings.map(({ id }) => id)

describe('sluice doctor', () => {
  it('has nothing to warn of in a healthy installation beside its gateway, and leaves with 0', async () => {
    await set({
      ServerAddress: gateway.url,
      SMTPServer: '127.0.0.1',
      SMTPPort: mail.port,
      SMTPAccount: 'sluice',
      SMTPToken: SECRET,
      SMTPFrom: 'sluice@example.org',
      OidcEnabled: true,
      OidcClientId: OIDC_CLIENT.id,
      OidcClientSecret: OIDC_CLIENT.secret,
      OidcWellKnown: `${oidc.url}/.well-known/openid-configuration`,
    })
    const channel = { name: 'Emulator', type: 50, key: 'sk-canary', base_url: emulator.url, models: 'gpt-6-luna' }
    await root.call(createChannel, { body: { ...channel, model_configs: '{"gpt-6-luna":{"ratio":1}}' } })
    await root.call(startLedgerCheck, { body: { mode: 'full' } })
    await expect
      .poll(async () => idsOf((await doctor([], { SLUICE_SMTP_CERTIFICATE: 'ignore' })).report), {
        timeout: 60_000,
        interval: 500,
      })
      .toContain('ledger.ok')
    const { code, report } = await doctor([], { SLUICE_SMTP_CERTIFICATE: 'ignore' })
    expect(report.findings.filter(({ severity }) => severity === 'problem' || severity === 'warning')).toEqual([])
    expect(code).toBe(0)
    for (const id of [
      'address.ok',
      'proxy.ok',
      'mail.ok',
      'sign_in.ok',
      'channels.ok',
      'models.ok',
      'replicas.ok',
      'machine.ok',
      'keys.ok',
      'disk.ok',
      'clock.ok',
      'database.ok',
      'settings.ok',
    ])
      expect(idsOf(report)).toContain(id)
    expect(mail.received).toEqual([])
  })

  it(
    'finds a mail server that refuses, and mail and sign-in that are set up halfway; never prints a secret',
    { tags: 'S20' },
    async () => {
      await set({ SMTPToken: 'another-canary' })
      const refused = await runSluice(['doctor'], { dataDir, env: { ...ENV, SLUICE_SMTP_CERTIFICATE: 'ignore' } })
      expect(refused.code).toBe(2)
      expect(refused.output).toContain('Mail cannot be sent through')
      expect(refused.output).toMatch(/answered\s+535/)
      expect(refused.output).not.toContain('canary')
      expect(refused.output.split('\n').filter((line) => line.length > 80)).toEqual([])
      expect(refused.output).not.toContain('\u001B')
      // The certificate must then be valid.
      expect(idsOf((await doctor()).report)).toContain('mail.refused')

      await set({ SMTPServer: '', EmailProvider: 'resend', ResendAPIKey: 're_canary' })
      expect(idsOf((await doctor()).report)).toContain('mail.resend')
      await set({ EmailProvider: 'smtp', GitHubClientId: 'id' })
      await set({ GitHubOAuthEnabled: true })
      const { code, report } = await doctor()
      expect(idsOf(report)).toEqual(expect.arrayContaining(['mail.half', 'sign_in.half']))
      expect(code).toBe(1)
      await set({ GitHubOAuthEnabled: false, EmailProvider: '' })
    },
  )

  it('finds a sign-in provider that does not answer, and that nobody can sign in', async () => {
    oidc.outage = '/.well-known/openid-configuration'
    expect(idsOf((await doctor()).report)).toContain('sign_in.unreachable')
    await set({ PasswordLoginEnabled: false, OidcEnabled: false })
    const { code, report } = await doctor()
    expect(idsOf(report)).toContain('sign_in.none')
    expect(code).toBe(2)
    await set({ PasswordLoginEnabled: true })
  })

  it('calls providers only when it is asked to', async () => {
    const called = emulator.journal.received
    expect(idsOf((await doctor()).report)).not.toContain('channels.tested')
    expect(emulator.journal.received).toBe(called)
    expect(idsOf((await doctor(['--call-providers'])).report)).toContain('channels.tested')
    expect(emulator.journal.received).toBeGreaterThan(called)
    const channel = { name: 'Nobody', type: 50, key: 'sk-canary', base_url: 'http://127.0.0.1:9', models: 'gpt-6-luna' }
    await root.call(createChannel, { body: { ...channel, model_configs: '{"gpt-6-luna":{"ratio":1}}' } })
    expect(idsOf((await doctor(['--call-providers'])).report)).toContain('channels.test_failed')
  })

  it('says what it can without a gateway, and without a database or a master key', async () => {
    await gateway.stop()
    const { report } = await doctor()
    expect(idsOf(report)).toContain('replicas.none')
    expect(idsOf(report)).not.toContain('machine.ok')

    const withoutKey = await doctor([], { SLUICE_MASTER_KEY: randomBytes(32).toString('base64') })
    expect(idsOf(withoutKey.report)).toEqual(expect.arrayContaining(['keys.missing', 'channels.key']))
    await rm(join(dataDir, 'master.key'))
    expect(idsOf((await doctor()).report)).toContain('keys.none')

    await writeFile(join(dataDir, 'sluice.db'), 'this is no database, and never was one'.repeat(100))
    const { code, report: closed } = await doctor()
    expect(idsOf(closed)).toEqual(expect.arrayContaining(['database.closed']))
    expect(code).toBe(2)
  })
})
