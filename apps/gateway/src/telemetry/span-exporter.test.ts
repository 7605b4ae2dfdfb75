import type { Span } from '@sluice/observe/tracing/span'
import { type Site, type SiteReply, startSite } from '@sluice/testkit/http-site'
import { type ManualTimers, openManualTimers } from '@sluice/testkit/manual-timers'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createAddressGuard } from '../outbound/address-guard.ts'
import { openGuardedClient, type GuardedClient } from '../outbound/guarded-client.ts'
import { openSpanExporter, type SpanExporter } from './span-exporter.ts'

const SPAN: Span = {
  traceId: '0199aabbccdd7eeff00112233445566a',
  spanId: 'f00112233445566a',
  parentId: undefined,
  name: 'chat m',
  kind: 'client',
  started: 1,
  ended: 2,
  attributes: {},
  isError: false,
}
const spans = (count: number): readonly Span[] => Array.from({ length: count }, () => SPAN)

describe('exporting spans', () => {
  let collector: Site
  let guarded: GuardedClient
  let timers: ManualTimers
  let exporter: SpanExporter
  let answer: () => SiteReply | Promise<SiteReply>
  let reported: { sent: number; dropped: number }
  let troubles: string[]

  beforeEach(async () => {
    answer = () => ({ body: {} })
    collector = await startSite(() => answer())
    guarded = openGuardedClient(createAddressGuard('allow'))
    timers = openManualTimers()
    reported = { sent: 0, dropped: 0 }
    troubles = []
    exporter = openSpanExporter({
      endpoint: `${collector.url}/`,
      headers: { 'x-api-key': 'collector-key' },
      source: { version: '1', instance: 'here' },
      fetchGuarded: guarded.fetch,
      timers,
      now: timers.now,
      onSpans: (outcome, count) => {
        reported[outcome] += count
      },
      onTrouble: (reason) => troubles.push(reason),
    })
  })
  afterEach(async () => {
    await exporter.close()
    await guarded.close()
    await collector.close()
  })
  const sentIn = (at: number) =>
    JSON.parse(collector.seen[at]?.body ?? '').resourceSpans[0].scopeSpans[0].spans.length as number
  const until = (check: () => boolean) => vi.waitFor(() => expect(check()).toBe(true), { timeout: 10_000, interval: 5 })

  it('sends what arrived within five seconds together, with the headers of its owner', async () => {
    exporter.add(spans(2))
    exporter.add(spans(1))
    expect(collector.seen).toHaveLength(0)
    await timers.advance(5_000)
    await until(() => reported.sent === 3)
    expect(collector.seen).toMatchObject([
      {
        method: 'POST',
        path: '/v1/traces',
        headers: { 'x-api-key': 'collector-key', 'content-type': 'application/json' },
      },
    ])
    expect(sentIn(0)).toBe(3)
    await timers.advance(60_000)
    expect(collector.seen).toHaveLength(1)
  })

  it('sends a full batch at once, and never waits for a collector that does not answer: the excess is dropped', async () => {
    let release: (reply: SiteReply) => void = () => {}
    answer = () => new Promise((resolve) => (release = resolve))
    exporter.add(spans(600))
    await until(() => collector.seen.length === 1)
    expect(sentIn(0)).toBe(256)
    for (let at = 0; at < 100; at++) exporter.add(spans(100))
    expect(reported).toEqual({ sent: 0, dropped: 6_300 })
    expect(troubles).toEqual(['it accepted fewer spans than there were'])
    answer = () => ({ body: {} })
    release({ body: {} })
    await until(() => reported.sent === 600 + 3_700)
    expect(collector.seen.length).toBe(17)
  })

  it('tries again when the collector is busy, and gives up when it refuses', async () => {
    const states = [503, 429, 200, 400]
    answer = () => ({ status: states.shift() ?? 200, headers: { 'retry-after': '3' } })
    exporter.add(spans(1))
    await timers.advance(5_000)
    await until(() => collector.seen.length === 1)
    await timers.advance(2_900)
    expect(collector.seen).toHaveLength(1)
    await vi.waitFor(async () => {
      await timers.advance(1_000)
      expect(reported.sent).toBe(1)
    })
    expect(collector.seen).toHaveLength(3)
    exporter.add(spans(4))
    await timers.advance(5_000)
    await until(() => reported.dropped === 4)
    expect(troubles).toEqual(['it answered 400'])
  })

  it('sends what is left when the gateway stops, including what it was just trying', async () => {
    answer = () => ({ status: 503 })
    exporter.add(spans(2))
    await timers.advance(5_000)
    await until(() => collector.seen.length === 1)
    exporter.add(spans(1))
    answer = () => ({ body: {} })
    await exporter.close()
    expect(reported).toEqual({ sent: 3, dropped: 0 })
  })
})
