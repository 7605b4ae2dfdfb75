import type { SnapshotVersions } from '@sluice/store/snapshots/versions'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type VersionWatch, openVersionWatch } from './snapshot-versions.ts'

const ZERO: SnapshotVersions = { tokens: 0, channels: 0, options: 0, users: 0 }

describe('a version watch', () => {
  let stored: SnapshotVersions
  let reads: number
  let broken: Error | undefined
  let errors: unknown[]
  let watch: VersionWatch

  beforeEach(() => {
    vi.useFakeTimers()
    stored = ZERO
    reads = 0
    broken = undefined
    errors = []
    watch = openVersionWatch({
      read: async () => {
        reads += 1
        const versions = stored
        await Promise.resolve()
        if (broken !== undefined) throw broken
        return versions
      },
      known: ZERO,
      random: () => 0.5,
      onError: (error) => errors.push(error),
    })
  })
  afterEach(async () => {
    await watch.close()
    vi.useRealTimers()
  })

  const counted = (name: keyof SnapshotVersions): { count: number } => {
    const seen = { count: 0 }
    watch.onChange(name, async () => void (seen.count += 1))
    return seen
  }

  test('finds a change made by another replica within two seconds', async () => {
    const channels = counted('channels')
    const tokens = counted('tokens')
    stored = { ...ZERO, channels: 1 }
    await vi.advanceTimersByTimeAsync(1_999)
    expect(channels.count).toBe(0)
    await vi.advanceTimersByTimeAsync(1)
    expect([channels.count, tokens.count]).toEqual([1, 0])
  })

  test('reloads once per change, not once per look', async () => {
    const channels = counted('channels')
    stored = { ...ZERO, channels: 5 }
    await vi.advanceTimersByTimeAsync(10_000)
    expect(channels.count).toBe(1)
    expect(reads).toBe(5)
  })

  test('a local change is served as soon as the check resolves', async () => {
    const options = counted('options')
    stored = { ...ZERO, options: 1 }
    await watch.check()
    expect(options.count).toBe(1)
  })

  test('a change made during a poll is not missed', async () => {
    const users = counted('users')
    const first = watch.check()
    await Promise.resolve()
    await Promise.resolve()
    expect(reads).toBe(1)
    stored = { ...ZERO, users: 1 }
    await watch.check()
    await first
    expect(users.count).toBe(1)
  })

  test('many checks at once share one poll', async () => {
    await Promise.all(Array.from({ length: 50 }, () => watch.check()))
    expect(reads).toBe(1)
  })

  test('a reload that fails is reported and tried again', async () => {
    let attempts = 0
    watch.onChange('tokens', async () => {
      attempts += 1
      if (attempts === 1) throw new Error('database away')
    })
    stored = { ...ZERO, tokens: 1 }
    await watch.check()
    expect(errors).toEqual([new Error('database away')])
    await vi.advanceTimersByTimeAsync(6_000)
    expect(attempts).toBe(2)
  })

  test('polling goes on after the versions could not be read', async () => {
    const channels = counted('channels')
    broken = new Error('database away')
    await vi.advanceTimersByTimeAsync(2_000)
    expect(errors).toEqual([broken])
    await expect(watch.check()).rejects.toThrow('database away')
    broken = undefined
    stored = { ...ZERO, channels: 1 }
    await vi.advanceTimersByTimeAsync(2_000)
    expect(channels.count).toBe(1)
  })

  test('an ended subscription receives nothing more', async () => {
    let heard = 0
    const end = watch.onChange('tokens', async () => void (heard += 1))
    end()
    stored = { ...ZERO, tokens: 1 }
    await watch.check()
    expect(heard).toBe(0)
  })

  test('stops looking after it was closed', async () => {
    await watch.close()
    await vi.advanceTimersByTimeAsync(10_000)
    expect(reads).toBe(0)
    expect(vi.getTimerCount()).toBe(0)
  })

  test('close waits for a poll under way', async () => {
    let reloaded = false
    watch.onChange('tokens', async () => {
      await Promise.resolve()
      reloaded = true
    })
    stored = { ...ZERO, tokens: 1 }
    void watch.check()
    await watch.close()
    expect(reloaded).toBe(true)
  })

  test('replicas do not look in step', async () => {
    const looks: number[] = []
    const started = Date.now()
    const watches = [0, 0.5, 1].map((random) =>
      openVersionWatch({
        read: async () => {
          looks.push(Date.now() - started)
          return ZERO
        },
        known: ZERO,
        random: () => random,
        onError: () => {},
      }),
    )
    await vi.advanceTimersByTimeAsync(2_400)
    expect(looks).toEqual([1_600, 2_000, 2_400])
    await Promise.all(watches.map((each) => each.close()))
  })
})
