import { PLAIN_LOG_COLUMNS } from '@sluice/contract/fields/log'
import type { LogRow } from '@sluice/store/queries/logs/logs'
import type { StoredTrace } from '@sluice/store/queries/logs/traces'
import { describe, expect, it } from 'vitest'
import { dayOf, dayText, parseDay } from './day.ts'
import { logRecord } from './log-record.ts'
import { traceRecord } from './trace-record.ts'

const log: LogRow = {
  ...PLAIN_LOG_COLUMNS,
  id: 1,
  created_at: 2,
  type: 2,
  user_id: 3,
  username: 'ann',
  token_id: 4,
  token_name: 't',
  model_name: 'm',
  origin_model_name: 'm',
  channel_id: 5,
  channel_name: 'c',
  amount: 6n,
  request_id: 'r',
}
const trace: StoredTrace = {
  request_id: 'r',
  user_id: 3,
  url: '/v1/x',
  method: 'POST',
  status: 502,
  body_size: 0,
  received_ms: 1_000,
  forwarded_ms: 0,
  first_upstream_ms: 0,
  first_client_ms: 0,
  upstream_completed_ms: 0,
  completed_ms: 1_050,
  attempts: 'broken',
  held: 0n,
  upstream_usage: '',
  routing: '',
}

describe('logRecord', () => {
  it('leaves empty metadata empty and hides the channel where it must', () => {
    const shown = logRecord(log, { quota: 1, quota_exact: '0.006', showChannel: false })
    expect(shown).toMatchObject({
      metadata: {},
      channel: 0,
      channel_name: '',
      quota: 1,
      quota_exact: '0.006',
      trace_id: 'r',
      is_stream: false,
    })
  })

  it('knows that only requests have a timeline', () => {
    expect(logRecord({ ...log, type: 1 }, { quota: 0, quota_exact: '0', showChannel: true })).toMatchObject({
      trace_id: '',
      request_id: 'r',
    })
    expect(logRecord({ ...log, request_id: null }, { quota: 0, quota_exact: '0', showChannel: true })).toMatchObject({
      trace_id: '',
      request_id: '',
    })
  })
})

describe('traceRecord', () => {
  it('leaves out stages that were never reached, and what they would have measured', () => {
    const shown = traceRecord(trace, log, { showChannel: true })
    expect(shown.timestamps).toEqual({ request_received: 1_000, request_completed: 1_050 })
    expect(shown.durations).toEqual({ total_time: 50 })
    expect(shown.attempts).toEqual([])
  })

  it('shows only administrators why a request was routed as it was, and which cooldown a channel got for it', () => {
    const attempt = {
      channel: 7,
      channel_name: 'ours',
      started: 0,
      ended: 9,
      status: 429,
      error: 'upstream_rate_limited',
    }
    const rest = { cause: 'limited', until: 2_000 } as const
    const lane = { channel: 7, channel_name: 'ours', key: 2, keys: 3, model: 'm', priority: 0, weight: 1, order: 1 }
    const routing = { by: 'weight', lanes: [lane] } as const
    const stored = {
      ...trace,
      attempts: JSON.stringify([{ ...attempt, key: 2, cause: 'limited', rest }]),
      routing: JSON.stringify(routing),
    }
    const whole = traceRecord(stored, log, { showChannel: true })
    expect(whole).toMatchObject({ routing, attempts: [{ ...attempt, key: 2, cause: 'limited', rest }] })
    const users = traceRecord(stored, log, { showChannel: false })
    expect(users).not.toHaveProperty('routing')
    expect(users.attempts).toEqual([{ ...attempt, channel: 0, channel_name: '' }])
  })

  it('shows no decision where none was stored or it cannot be read', () => {
    for (const routing of ['', '{', '{"by":"chance"}']) {
      expect(traceRecord({ ...trace, routing }, log, { showChannel: true })).not.toHaveProperty('routing')
    }
  })

  it('shows no negative time when the clock stepped back', () => {
    const shown = traceRecord({ ...trace, forwarded_ms: 990 }, log, { showChannel: true })
    expect(shown.durations).toEqual({ processing_time: 0, total_time: 50 })
    expect(shown.timestamps).toEqual({ request_received: 1_000, request_forwarded: 1_000, request_completed: 1_050 })
  })

  it('shows the stages of a plain answer in order, even where an older version stored them otherwise', () => {
    const stored = { ...trace, forwarded_ms: 1_005, first_upstream_ms: 1_020, upstream_completed_ms: 1_025 }
    const shown = traceRecord({ ...stored, first_client_ms: 1_040 }, log, { showChannel: true })
    const stamps = Object.values(shown.timestamps)
    expect(stamps).toEqual([1_000, 1_005, 1_020, 1_040, 1_040, 1_050])
    expect(shown.durations).toMatchObject({ response_processing_time: 20, streaming_time: 0 })
  })
})

describe('days', () => {
  it('are UTC days, in text and back', () => {
    expect(dayText(dayOf(Date.UTC(2026, 10, 20, 23, 59)))).toBe('2026-11-20')
    expect(parseDay('2026-11-20')).toBe(dayOf(Date.UTC(2026, 10, 20)))
    for (const text of ['2026-02-30', '2026-2-3', '', '20261120', '2026-11-20T00:00'])
      expect(parseDay(text)).toBeUndefined()
  })
})
