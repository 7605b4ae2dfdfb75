import { describe, expect, it } from 'vitest'
import type { FinishedAttempt, FinishedRequest } from '../finished-request.ts'
import { otlpBody } from './otlp-json.ts'
import { requestSpans } from './request-spans.ts'

const ID = '0199aabbccdd7eeff00112233445566a'
const ATTEMPT: FinishedAttempt = {
  channel: 4,
  provider: 'Anthropic',
  model: 'claude-sonnet-5',
  started: 1_010,
  ended: 1_400,
  status: 200,
  error: '',
  firstByteMs: 250,
}
const REQUEST: FinishedRequest = {
  id: ID,
  traceparent: undefined,
  method: 'POST',
  endpoint: '/v1/chat/completions',
  model: 'sonnet',
  stream: true,
  status: 200,
  code: '',
  ending: 'complete',
  received: 1_000,
  firstByte: 1_260,
  ended: 1_410,
  attempts: [{ ...ATTEMPT, channel: 3, started: 1_001, ended: 1_009, status: 529, error: 'upstream_error' }, ATTEMPT],
  usage: { input: 900, cachedInput: 100, cacheWrite: 24, output: 250, reasoning: 50 },
  quota: 12.5,
  commitMs: 3,
}
const ids = () => {
  let next = 0
  return () => `${next++}`.padStart(16, 'a')
}
const spansOf = (request: Partial<FinishedRequest> = {}, share = 1) =>
  requestSpans({ ...REQUEST, ...request }, share, ids())

describe('the spans of a request', () => {
  it('are one server span, and one client span for each call to a provider, under the id of the request', () => {
    const [server, first, second] = spansOf()
    expect(server).toMatchObject({
      traceId: ID,
      spanId: 'f00112233445566a',
      parentId: undefined,
      name: 'POST /v1/chat/completions',
      kind: 'server',
      isError: false,
    })
    expect(first).toMatchObject({ parentId: 'f00112233445566a', kind: 'client', isError: true })
    expect(first?.attributes).toMatchObject({ 'error.type': 'upstream_error', 'http.response.status_code': 529 })
    expect(first?.attributes).not.toHaveProperty('gen_ai.usage.input_tokens')
    expect(second).toMatchObject({ name: 'chat claude-sonnet-5', spanId: 'aaaaaaaaaaaaaaa1', isError: false })
    expect(second?.attributes).toMatchObject({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'anthropic',
      'gen_ai.request.model': 'claude-sonnet-5',
      'gen_ai.response.time_to_first_chunk': 0.25,
      'gen_ai.usage.input_tokens': 1_024,
      'gen_ai.usage.output_tokens': 250,
      'gen_ai.usage.cache_read.input_tokens': 100,
    })
  })

  it('continue the trace of the client, unless it is not recorded there', () => {
    const trace = '4bf92f3577b34da6a3ce929d0e0e4736'
    const [server, call] = spansOf({ traceparent: `00-${trace}-00f067aa0ba902b7-01` })
    expect(server).toMatchObject({ traceId: trace, parentId: '00f067aa0ba902b7' })
    expect(call).toMatchObject({ traceId: trace, parentId: server?.spanId })
    expect(spansOf({ traceparent: `00-${trace}-00f067aa0ba902b7-00` })).toEqual([])
  })

  it('are not imposed on a collector that records a smaller share', { tags: 'S29' }, () => {
    const trace = '4bf92f3577b34da6a3ffffffffffffff'
    expect(spansOf({ traceparent: `00-${trace}-00f067aa0ba902b7-01` }, 0.5)).toEqual([])
    expect(spansOf({}, 0)).toEqual([])
  })

  it('report a refusal by its code, and mark it as a server error only when it is one', () => {
    const refused = { status: 429, code: 'rate_limited', attempts: [], usage: undefined, quota: 0, ending: '' }
    expect(spansOf(refused)).toMatchObject([{ isError: false, attributes: { 'error.type': 'rate_limited' } }])
    expect(spansOf({ ...refused, status: 503 })).toMatchObject([{ isError: true }])
  })

  it('are written as OTLP requires: ids in hex, long numbers as text, nothing that is not known', () => {
    const body = JSON.parse(otlpBody(spansOf(), { version: '1.2.3', instance: 'here' }))
    const [resource] = body.resourceSpans
    expect(resource.resource.attributes).toContainEqual({ key: 'service.name', value: { stringValue: 'sluice' } })
    const [server, , second] = resource.scopeSpans[0].spans
    expect(server).toMatchObject({
      traceId: ID,
      kind: 2,
      startTimeUnixNano: '1000000000',
      endTimeUnixNano: '1410000000',
      status: { code: 0 },
    })
    expect(server).not.toHaveProperty('parentSpanId')
    expect(server.attributes).toContainEqual({ key: 'sluice.quota', value: { doubleValue: 12.5 } })
    expect(second.attributes).toContainEqual({ key: 'gen_ai.usage.input_tokens', value: { intValue: '1024' } })
    expect(second.attributes).toContainEqual({ key: 'gen_ai.request.stream', value: { boolValue: true } })
    for (const { value } of server.attributes) expect(Object.keys(value)).toHaveLength(1)
  })
})
