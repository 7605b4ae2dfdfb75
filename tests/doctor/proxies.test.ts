// @module-tag slow
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import type { Finding } from '@sluice/contract/doctor'
import { examine } from '@sluice/contract/routes/doctor'
import { updateOption } from '@sluice/contract/routes/options'
import { selfSigned } from '@sluice/testkit/certificate'
import { freePort } from '@sluice/testkit/free-port'
import { type GatewayWorld, openGatewayWorld } from '@sluice/testkit/gateway-world'
import { type Site, startSite } from '@sluice/testkit/http-site'
import { type LocalNginx, type NginxChanges, startLocalNginx } from '@sluice/testkit/local-nginx'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

const LIMITS = { SLUICE_MAX_REQUESTS: '100', SLUICE_BODY_LIMIT: '16000000' }
const DAY_MS = 86_400_000

async function examined(world: GatewayWorld, address: string): Promise<readonly Finding[]> {
  await world.root.call(updateOption, { body: { key: 'ServerAddress', value: address } })
  const { findings } = await world.root.call(examine, {})
  return findings.filter(({ check }) => check === 'address' || check === 'proxy')
}
const ids = (findings: readonly Finding[]): readonly string[] => findings.map(({ id }) => id).toSorted()
const one = (findings: readonly Finding[], id: string): Finding | undefined => findings.find((each) => each.id === id)

describe('the doctor sees through a real proxy', () => {
  let world: GatewayWorld
  let distrustful: GatewayWorld
  let nginx: LocalNginx | undefined
  beforeAll(async () => {
    world = await openGatewayWorld({ ...LIMITS, SLUICE_TRUSTED_PROXIES: '127.0.0.1' })
    distrustful = await openGatewayWorld(LIMITS)
  }, 60_000)
  afterEach(async () => {
    await nginx?.stop()
    nginx = undefined
  })
  afterAll(async () => {
    await world.close()
    await distrustful.close()
  })

  const behind = async (changes: NginxChanges = {}, of = world): Promise<readonly Finding[]> => {
    nginx = await startLocalNginx([of.url], changes)
    return await examined(of, nginx.url)
  }

  it('that the example of the documentation is in order', async () => {
    expect(ids(await behind())).toEqual(['address.ok', 'proxy.ok'])
  })

  it('that no proxy at all is in order', async () => {
    expect(ids(await examined(world, world.url))).toEqual(['address.ok', 'proxy.ok'])
  })

  it('that a proxy is not trusted, and names it', { tags: 'S28' }, async () => {
    const found = await behind({}, distrustful)
    expect(ids(found)).toEqual(['address.ok', 'proxy.untrusted'])
    expect(one(found, 'proxy.untrusted')?.remedy).toContain('Set SLUICE_TRUSTED_PROXIES to 127.0.0.1,')
  })

  it('that streams are held back, as nginx does unless it is told otherwise', async () => {
    const change = (settings: string) =>
      settings
        .replace(/proxy_buffering off;|proxy_http_version 1.1;/g, '')
        .replace('location / {', 'location / { proxy_ignore_headers X-Accel-Buffering;')
    expect(ids(await behind({ change }))).toEqual(['address.ok', 'proxy.buffers'])
  })

  it('that a body of the largest size is refused', async () => {
    const change = (settings: string) => settings.replace('client_max_body_size 32m;', 'client_max_body_size 1m;')
    const found = await behind({ change })
    expect(ids(found)).toEqual(['address.ok', 'proxy.body'])
    expect(one(found, 'proxy.body')?.params).toEqual({ size: '16 MB', status: 413 })
  })

  it('that websockets are not passed on', async () => {
    const change = (settings: string) => settings.replace(/proxy_set_header (Upgrade|Connection) .*;/g, '')
    expect(ids(await behind({ change }))).toEqual(['address.ok', 'proxy.upgrade'])
  })

  it('that the Host of the client is replaced', async () => {
    const change = (settings: string) =>
      settings.replace('proxy_set_header Host $host;', 'proxy_set_header Host inner;')
    const found = await behind({ change })
    expect(ids(found)).toEqual(['address.ok', 'proxy.host'])
  })

  it('that clients of https are not named, and their https is not', async () => {
    const change = (settings: string) => settings.replace(/proxy_set_header X-Forwarded-.*;/g, '')
    const found = await behind({ change, certificate: selfSigned() })
    expect(ids(found)).toEqual(['address.certificate', 'proxy.no_client', 'proxy.no_proto'])
    expect(one(found, 'address.certificate')?.params['reason']).toBe('DEPTH_ZERO_SELF_SIGNED_CERT')
  })

  it('that a certificate has expired or will soon', async () => {
    expect(ids(await behind({ certificate: selfSigned(new Date(Date.now() - DAY_MS)) }))).toEqual([
      'address.expired',
      'proxy.ok',
    ])
    await nginx?.stop()
    const found = await behind({ certificate: selfSigned(new Date(Date.now() + 5.5 * DAY_MS)) })
    expect(ids(found)).toEqual(['address.certificate', 'address.expires', 'proxy.ok'])
    expect(one(found, 'address.expires')?.params['days']).toBe(5)
  })

  it('that a certificate is trusted, and until when', async () => {
    const trusted = getCACertificates('default')
    const certificate = selfSigned(new Date('2049-06-30T12:00:00Z'))
    setDefaultCACertificates([...trusted, certificate.cert])
    const found = await behind({ certificate })
    setDefaultCACertificates(trusted)
    expect(ids(found)).toEqual(['address.ok_until', 'proxy.ok'])
    expect(one(found, 'address.ok_until')?.params).toEqual({ until: '2049-06-30' })
  })

  it('that nothing listens at the address, or that it has no host', async () => {
    const found = await examined(world, `http://127.0.0.1:${await freePort()}`)
    expect(ids(found)).toEqual(['address.unreachable'])
    expect(one(found, 'address.unreachable')?.finding).toContain('nothing is listening there')
    expect(ids(await examined(world, 'http://sluice.invalid'))).toEqual(['address.plain', 'address.unreachable'])
  })

  it('that another program, or a gateway on another database, answers at the address', async () => {
    const site: Site = await startSite(() => ({ body: { hello: 'world' } }))
    const found = await examined(world, site.url)
    expect(ids(found)).toEqual(['address.elsewhere'])
    expect(ids(await examined(world, distrustful.url))).toEqual(['address.elsewhere'])
    await site.close()
  })
})

describe('the doctor sees from the configuration', () => {
  it('that the address is still the initial one, which matters once others can reach the gateway', async () => {
    const world = await openGatewayWorld(LIMITS)
    expect(ids(await examined(world, 'http://localhost:3000'))).toEqual(['address.unset'])
    await world.close()
    const open = await openGatewayWorld({ ...LIMITS, SLUICE_HOST: '0.0.0.0', SLUICE_TRUSTED_PROXIES: '0.0.0.0/0' })
    expect(ids(await examined(open, 'http://localhost:3000'))).toEqual(['address.local', 'proxy.trusts_all'])
    expect(ids(await examined(open, open.url))).toEqual(['address.local', 'proxy.trusts_all'])
    await open.close()
  })
})
