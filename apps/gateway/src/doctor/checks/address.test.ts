import { describe, expect, it } from 'vitest'
import type { OwnAddress } from '../ask-own-address.ts'
import { addressCheck, isAnywhere } from './address.ts'

const NOW = Date.UTC(2026, 10, 24, 12)
const ADDRESS = 'http://127.0.0.1:3000'
const HERE: OwnAddress = {
  state: 'here',
  certificate: undefined,
  arrival: {
    proof: '',
    peer: '127.0.0.1',
    isTrusted: false,
    isSecure: false,
    forwardedFor: '',
    forwardedProto: '',
    host: '127.0.0.1:3000',
  },
  gapMs: 400,
  date: NOW,
  bodyRefusal: 0,
  passesUpgrades: true,
}

const address = async (seen: Partial<typeof HERE>, isRunning = true, path = '', basePath = '') =>
  await addressCheck({
    address: () => ADDRESS + path,
    initialAddress: 'http://localhost:3000',
    host: '127.0.0.1',
    trustedProxies: [],
    basePath,
    bodyLimit: 1_000,
    ask: async () => ({ ...HERE, ...seen }),
    isRunning: async () => isRunning,
    now: () => NOW,
  }).examine(new AbortController().signal)

describe('the public address', () => {
  it('of a gateway that answers there is in order', async () => {
    const well = [
      { id: 'address.ok', subject: ADDRESS },
      { id: 'proxy.ok', subject: ADDRESS },
    ]
    expect(await address({ date: NOW - 3_000 })).toEqual(well)
    expect(await address({ date: undefined })).toEqual(well)
  })

  it('whose server dates its answers wrongly is found', async () => {
    expect(await address({ date: NOW - 90_000 })).toContainEqual({
      id: 'address.date',
      subject: ADDRESS,
      params: { seconds: 90 },
    })
  })

  it('has the path that the gateway is told to serve', async () => {
    for (const [path, base] of [
      ['', ''],
      ['/', ''],
      ['/ai', '/ai'],
      ['/ai/', '/ai'],
    ]) {
      expect(await address({}, false, path, base), `${path} ${base}`).toEqual([])
    }
    expect(await address({}, false, '/ai/', '')).toEqual([
      { id: 'address.path_unset', subject: `${ADDRESS}/ai/`, params: { path: '/ai' } },
    ])
    for (const path of ['', '/aix', '/ai/more', '/AI']) {
      const found = { id: 'address.path_differs', subject: ADDRESS + path, params: { base: '/ai' } }
      expect(await address({}, false, path, '/ai'), path).toEqual([found])
    }
  })

  it('is not called while no gateway runs that could answer', async () => {
    expect(await address({ gapMs: 0 }, false)).toEqual([])
  })
})

it('only a loopback address keeps other machines out', () => {
  const hosts = ['127.0.0.1', '127.9.9.9', '::1', '[::1]', 'localhost', '0.0.0.0', '::', '10.0.0.1', 'sluice.internal']
  expect(hosts.map(isAnywhere)).toEqual([false, false, false, false, false, true, true, true, true])
})
