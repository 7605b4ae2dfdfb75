import { describe, expect, it } from 'vitest'
import { METRICS } from './catalogue.ts'
import type { Family } from './family.ts'
import { createMetrics } from './metrics.ts'

const family = <Kind extends Family['kind']>(kind: Kind, name: string, labels: readonly string[]): Family<Kind> => ({
  kind,
  name,
  labels,
  help: `What ${name} is.`,
  buckets: kind === 'histogram' ? [0.1, 1] : [],
  oneApi: '',
})
const open = (limits = { series: 5, histogramSeries: 3 }) =>
  createMetrics(
    {
      calls: family('counter', 'calls_total', ['model', 'status']),
      all: family('counter', 'all_total', []),
      open: family('gauge', 'open', ['channel']),
      seconds: family('histogram', 'wait_seconds', ['channel']),
    },
    limits,
  )
const linesOf = (text: string, name: string) => text.split('\n').filter((line) => line.startsWith(name))

describe('metrics', () => {
  it('are written as Prometheus reads them', () => {
    const { instruments, text } = open()
    instruments.calls.add(1, 'a', '2xx')
    instruments.calls.add(2.5, 'a', '2xx')
    instruments.open.set(7, '1')
    instruments.seconds.observe(0.1, '1')
    instruments.seconds.observe(0.11, '1')
    instruments.seconds.observe(5, '1')
    expect(text()).toBe(`# HELP calls_total What calls_total is.
# TYPE calls_total counter
calls_total{model="a",status="2xx"} 3.5
# HELP all_total What all_total is.
# TYPE all_total counter
all_total 0
# HELP open What open is.
# TYPE open gauge
open{channel="1"} 7
# HELP wait_seconds What wait_seconds is.
# TYPE wait_seconds histogram
wait_seconds_bucket{channel="1",le="0.1"} 1
wait_seconds_bucket{channel="1",le="1"} 2
wait_seconds_bucket{channel="1",le="+Inf"} 3
wait_seconds_sum{channel="1"} 5.21
wait_seconds_count{channel="1"} 3
`)
  })

  it('never have more series than allowed: further ones share one that is called other', { tags: 'S28' }, () => {
    const { instruments, text } = open()
    for (let at = 0; at < 10_000; at++) {
      instruments.calls.add(1, `model ${at}`, '2xx')
      instruments.open.set(at, `${at}`)
      instruments.seconds.observe(1, `${at}`)
    }
    instruments.calls.add(1, 'model 0', '2xx')
    expect(linesOf(text(), 'calls_total')).toEqual([
      'calls_total{model="model 0",status="2xx"} 2',
      'calls_total{model="model 1",status="2xx"} 1',
      'calls_total{model="model 2",status="2xx"} 1',
      'calls_total{model="model 3",status="2xx"} 1',
      'calls_total{model="other",status="other"} 9996',
    ])
    expect(linesOf(text(), 'wait_seconds_count')).toEqual([
      'wait_seconds_count{channel="0"} 1',
      'wait_seconds_count{channel="1"} 1',
      'wait_seconds_count{channel="other"} 9998',
    ])
  })

  it('leave out gauge series beyond the limit: one value for several things is wrong for each', { tags: 'S28' }, () => {
    const { instruments, text } = open()
    for (let round = 0; round < 2; round++) {
      instruments.open.clear()
      for (let at = 0; at < 10_000; at++) instruments.open.set(at, `${at}`)
    }
    expect(linesOf(text(), 'open{')).toEqual([0, 1, 2, 3, 4].map((at) => `open{channel="${at}"} ${at}`))
  })

  it('keep whatever a label contains inside its quotes', () => {
    const { instruments, text } = open()
    instruments.calls.add(1, 'say "hi" \\ bye\nnext', 'x'.repeat(1_000))
    instruments.calls.add(1, 'say "hi" \\ bye\nnext', 'x'.repeat(1_000))
    expect(linesOf(text(), 'calls_total')).toEqual([
      `calls_total{model="say \\"hi\\" \\\\ bye next",status="${'x'.repeat(128)}"} 2`,
    ])
  })

  it('forget what a gauge said before it is cleared, and refuse missing labels', () => {
    const { instruments, text } = open()
    instruments.open.set(1, 'gone')
    instruments.open.clear()
    instruments.open.set(2, 'there')
    expect(linesOf(text(), 'open{')).toEqual(['open{channel="there"} 2'])
    expect(() => instruments.calls.add(1, 'a')).toThrow('calls_total has the labels model, status')
  })
})

describe('the catalogue of metrics', () => {
  const families: readonly Family[] = Object.values(METRICS)

  it('names each thing once, as Prometheus names things', () => {
    expect(new Set(families.map(({ name }) => name)).size).toBe(families.length)
    for (const { name, kind, labels, buckets, help } of families) {
      expect(name).toMatch(/^(sluice|process)_[a-z_]+$/)
      expect(name.endsWith('_total'), name).toBe(kind === 'counter')
      expect(help).toMatch(/[.:]/)
      expect(labels.length).toBeLessThanOrEqual(4)
      expect([...buckets].sort((a, b) => a - b)).toEqual(buckets)
      expect(buckets.length > 0, name).toBe(kind === 'histogram')
    }
  })

  it('has no label with unbounded values', { tags: 'S28' }, () => {
    const labels = new Set(families.flatMap((each) => each.labels))
    for (const unbounded of ['user', 'username', 'token', 'key', 'ip', 'client', 'request_id', 'path', 'group']) {
      expect(labels).not.toContain(unbounded)
    }
  })
})
