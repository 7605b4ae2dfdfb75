import { describe, expect, it } from 'vitest'
import { networkOf } from '../../client-network.ts'
import { createLoginThrottle } from './login-throttle.ts'

describe('networkOf', () => {
  it.each([
    ['203.0.113.9', '203.0.113.9'],
    ['::ffff:203.0.113.9', '203.0.113.9'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:0DB8:0001:0002::1', '2001:db8:1:2'],
    ['2001:db8::1', '2001:db8:0:0'],
    ['::1', '0:0:0:0'],
    ['fe80::1%eth0', 'fe80:0:0:0'],
  ])('%s counts as %s', (address, network) => {
    expect(networkOf(address)).toBe(network)
  })
})

describe('the throttle', () => {
  it('lets a name be tried again after a while', () => {
    let now = 0
    const throttle = createLoginThrottle(() => now)
    const attempt = (host: number) => throttle(`10.0.0.${host}`, 'ann')
    for (let host = 0; host < 10; host++) expect(attempt(host).admitted).toBe(true)
    expect(attempt(11)).toEqual({ admitted: false, seconds: 30 })
    now += 30_000
    expect(attempt(12).admitted).toBe(true)
    expect(attempt(13).admitted).toBe(false)
  })

  it('gives a try back after a success', () => {
    const throttle = createLoginThrottle(() => 0)
    for (let i = 0; i < 50; i++) {
      const attempt = throttle('10.0.0.1', 'ann')
      expect(attempt.admitted).toBe(true)
      if (attempt.admitted) attempt.forgive()
    }
  })
})
