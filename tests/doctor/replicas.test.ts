// @module-tag slow
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Finding } from '@sluice/contract/doctor'
import { examine } from '@sluice/contract/routes/doctor'
import { updateOption } from '@sluice/contract/routes/options'
import { type GatewayProcess, ROOT_PASSWORD, startGateway } from '@sluice/testkit/gateway-process'
import { type LocalNginx, startLocalNginx } from '@sluice/testkit/local-nginx'
import { type LocalPostgres, startLocalPostgres } from '@sluice/testkit/local-postgres'
import { type ManagementClient, signIn } from '@sluice/testkit/management-client'
import { administer, databaseUrl } from '@sluice/testkit/postgres-databases'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

const KEYS = [randomBytes(32), randomBytes(32)].map((key) => key.toString('base64'))
const ENV = { SLUICE_MAX_REQUESTS: '100', SLUICE_SYNC_INTERVAL: '0.1', SLUICE_TRUSTED_PROXIES: '127.0.0.1' }

describe('the doctor of several replicas', () => {
  let dataDir: string
  let server: LocalPostgres
  let first: GatewayProcess
  let others: GatewayProcess[] = []
  let nginx: LocalNginx | undefined
  let root: ManagementClient

  const start = (env: Readonly<Record<string, string>> = {}) =>
    startGateway({
      dataDir,
      env: { ...ENV, DATABASE_URL: databaseUrl(server.url, 'sluice'), SLUICE_MASTER_KEY: KEYS[0] ?? '', ...env },
    })
  const examined = async (): Promise<readonly Finding[]> => (await root.call(examine, {})).findings
  const ids = (findings: readonly Finding[]): readonly string[] => findings.map(({ id }) => id)

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'sluice-doctor-'))
    server = await startLocalPostgres()
    await administer(server.url, 'create database sluice')
    first = await start()
    root = await signIn(first.url, 'root', ROOT_PASSWORD)
  }, 60_000)
  afterEach(async () => {
    await nginx?.stop()
    nginx = undefined
    await Promise.all(others.map((each) => each.stop()))
    others = []
  })
  afterAll(async () => {
    await first.stop()
    await server.stop()
    await rm(dataDir, { recursive: true, force: true })
  })

  it('finds replicas that agree, and reaches whichever of them is behind the public address', async () => {
    others = [await start()]
    nginx = await startLocalNginx(others.map(({ url }) => url))
    await root.call(updateOption, { body: { key: 'ServerAddress', value: nginx.url } })
    const found = await examined()
    expect(found.find(({ id }) => id === 'replicas.ok')?.params).toEqual({ count: 2 })
    expect(ids(found)).toEqual(expect.arrayContaining(['address.ok', 'proxy.ok', 'clock.ok']))
  })

  it('finds settings and master keys that differ', async () => {
    others = [await start({ SLUICE_BODY_LIMIT: '1000000', SLUICE_MASTER_KEY: `${KEYS[1]},${KEYS[0]}` })]
    const found = await examined()
    expect(found.find(({ id }) => id === 'replicas.settings')?.subject).toBe('SLUICE_BODY_LIMIT')
    expect(ids(found)).toContain('replicas.keys')
  })

  it('sees who really connected', { tags: 'S28' }, async () => {
    others = [await start({ SLUICE_TRUSTED_PROXIES: '' })]
    nginx = await startLocalNginx(others.map(({ url }) => url))
    await root.call(updateOption, { body: { key: 'ServerAddress', value: nginx.url } })
    const found = await examined()
    expect(found.find(({ id }) => id === 'proxy.untrusted')?.subject).toBe('127.0.0.1')
    expect(ids(found)).toContain('address.ok')
    for (const id of ['proxy.buffers', 'proxy.upgrade', 'proxy.body']) expect(ids(found)).not.toContain(id)
  })
})
