import { describe, expect, it } from 'vitest'
import { timeline } from './timeline.ts'

const timestamps = {
  request_received: 1_000,
  request_forwarded: 1_009,
  first_upstream_response: 1_500,
  first_client_response: 1_502,
  upstream_completed: 2_900,
  request_completed: 2_903,
}

describe('timeline of a request', () => {
  it('has a stage between every two timestamps, and the total', () => {
    expect(timeline({ timestamps, durations: {} })).toEqual({
      stages: [
        { name: 'processing', start: 0, duration: 9 },
        { name: 'upstreamResponse', start: 9, duration: 491 },
        { name: 'responseProcessing', start: 500, duration: 2 },
        { name: 'streaming', start: 502, duration: 1_398 },
        { name: 'finishing', start: 1_900, duration: 3 },
      ],
      total: 1_903,
      span: 1_903,
    })
  })

  it('takes the durations that the server measured', () => {
    const durations = { processing_time: 10, total_time: 2_000 }
    const { stages, total, span } = timeline({ timestamps, durations })
    expect(stages[0]?.duration).toBe(10)
    expect(total).toBe(2_000)
    expect(span).toBe(2_000)
  })

  it('leaves out stages that were not reached', () => {
    const broken = { request_received: 1_000, request_forwarded: 1_009 }
    const { stages, total, span } = timeline({ timestamps: broken, durations: {} })
    expect(stages.map(({ name }) => name)).toEqual(['processing'])
    expect(total).toBeUndefined()
    expect(span).toBe(9)
  })

  it('starts no stage before the previous one has ended', () => {
    const plain = { ...timestamps, first_client_response: 2_901 }
    const { stages } = timeline({ timestamps: plain, durations: { streaming_time: -1 } })
    expect(stages.map(({ start, duration }) => [start, duration])).toEqual([
      [0, 9],
      [9, 491],
      [500, 1_401],
      [1_901, 0],
      [1_901, 2],
    ])
  })

  it('survives clocks that ran backwards', () => {
    const backwards = { ...timestamps, request_forwarded: 990 }
    expect(timeline({ timestamps: backwards, durations: {} }).stages[0]).toEqual({
      name: 'processing',
      start: 0,
      duration: 0,
    })
  })
})
