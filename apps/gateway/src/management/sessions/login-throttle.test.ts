import { describe, expect, it } from 'vitest'
import { networkOf } from '../../edge/address-range.ts'
import { type Attempt, createLoginThrottle, type SignInSource } from './login-throttle.ts'

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
  const stranger = (address: string): SignInSource => ({ address, isLocal: false, device: undefined })
  const device = (id: string, ...names: string[]): SignInSource => ({
    ...stranger('10.9.9.9'),
    device: { id, knows: (name) => names.includes(name) },
  })
  const open = (now: () => number = () => 0) => {
    const throttle = createLoginThrottle(now)
    return (source: SignInSource, name: string): Attempt => {
      const byNetwork = throttle.network(source, name)
      return byNetwork.admitted ? throttle.name(source, name) : byNetwork
    }
  }
  const admitted = (times: number, attempt: (turn: number) => Attempt) =>
    Array.from({ length: times }, (_, turn) => attempt(turn)).filter((each) => each.admitted).length

  it('lets a name be tried again after a while', () => {
    let now = 0
    const attempt = open(() => now)
    for (let host = 0; host < 10; host++) expect(attempt(stranger(`10.0.0.${host}`), 'ann').admitted).toBe(true)
    expect(attempt(stranger('10.0.0.11'), 'ann')).toEqual({ admitted: false, seconds: 30 })
    now += 30_000
    expect(attempt(stranger('10.0.0.12'), 'ann').admitted).toBe(true)
    expect(attempt(stranger('10.0.0.13'), 'ann').admitted).toBe(false)
  })

  it('gives a try back after a success', () => {
    const throttle = createLoginThrottle(() => 0)
    for (let i = 0; i < 50; i++) {
      const attempts = [throttle.network(stranger('10.0.0.1'), 'ann'), throttle.name(stranger('10.0.0.1'), 'ann')]
      for (const attempt of attempts) {
        expect(attempt.admitted).toBe(true)
        if (attempt.admitted) attempt.forgive()
      }
    }
  })

  it('lets no single network use up a name’s share of all strangers', { tags: 'S48' }, () => {
    const attempt = open()
    expect(admitted(50, () => attempt(stranger('10.0.0.1'), 'ann'))).toBe(5)
    expect(attempt(stranger('10.0.0.2'), ' ANN ').admitted).toBe(true)
  })

  it(
    'counts a browser where the name has signed in, and this machine, separately from all strangers',
    { tags: 'S48' },
    () => {
      const attempt = open()
      admitted(200, (turn) => attempt(stranger(`10.0.0.${turn}`), 'ann'))
      expect(attempt(stranger('10.0.1.1'), 'ann').admitted).toBe(false)
      expect(attempt(device('d', 'ann'), 'ann').admitted).toBe(true)
      expect(attempt({ ...stranger('127.0.0.1'), isLocal: true }, 'ann').admitted).toBe(true)
      // Even when the whole network is barred.
      admitted(50, (turn) => attempt(stranger('10.9.9.9'), `name ${turn}`))
      expect(attempt(stranger('10.9.9.9'), 'bob').admitted).toBe(false)
      expect(attempt(device('d', 'ann'), 'Ann').admitted).toBe(true)
    },
  )

  it(
    'counts such a browser as a stranger for every other name, and limits guesses there as well',
    { tags: 'S28' },
    () => {
      const attempt = open()
      expect(admitted(50, () => attempt(device('d', 'ann'), 'bob'))).toBe(5)
      expect(admitted(50, () => attempt(device('d', 'ann'), 'ann'))).toBe(10)
      expect(admitted(500, (turn) => attempt(device(`e${turn}`, 'ann'), 'ann'))).toBe(90)
      expect(admitted(50, () => attempt({ ...stranger('::1'), isLocal: true }, 'bob'))).toBe(30)
      expect(admitted(200, (turn) => attempt({ ...stranger('::1'), isLocal: true }, `name ${turn}`))).toBe(50)
    },
  )
})
