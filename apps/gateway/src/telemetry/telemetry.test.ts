import { testChannel } from '@sluice/contract/routes/channels'
import { type Emulator, startEmulator } from '@sluice/testkit/emulator/server'
import { type GatewayWorld, openGatewayWorld } from '@sluice/testkit/gateway-world'
import { type Site, startSite } from '@sluice/testkit/http-site'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

const TOKEN = 'metrics-token-canary-1'
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const PARENT = '00f067aa0ba902b7'

interface SentSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[]
}

const REPLY = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: 'recorded',
  choices: [{ index: 0, message: { role: 'assistant', content: 'answer-canary' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 30, completion_tokens: 4, total_tokens: 34, prompt_tokens_details: { cached_tokens: 10 } },
}

describe('what the gateway reports about itself', () => {
  let emulator: Emulator
  let provider: Site
  let broken: Site
  let collector: Site
  let world: GatewayWorld
  let key: string
  let channel: number
  let brokenChannel: number

  beforeAll(async () => {
    emulator = await startEmulator()
    provider = await startSite(() => ({ body: REPLY }))
    broken = await startSite(() => ({ status: 500, body: { error: { message: 'vendor-canary' } } }))
    collector = await startSite(() => ({ body: {} }))
    world = await openGatewayWorld({
      SLUICE_METRICS_TOKEN: TOKEN,
      SLUICE_OTLP_ENDPOINT: collector.url,
      SLUICE_OTLP_HEADERS: 'x-collector-key=collector%2Dcanary',
    })
    brokenChannel = await world.addChannel(broken.url, ['plain'], { priority: 5, key: 'key-canary' })
    channel = await world.addChannel(provider.url, ['plain'], { key: 'key-canary' })
    await world.addChannel(emulator.url, ['emu-fast'])
    key = await world.addToken(world.root)
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const traced = { ...headers, traceparent: `00-${TRACE}-${PARENT}-01`, tracestate: 'vendor=state-canary' }
    const body = JSON.stringify({ model: 'plain', messages: [{ role: 'user', content: 'prompt-canary' }] })
    await (await world.chat(key, {}, { headers: traced, body })).text()
    await (await world.chat(key, { model: 'emu-fast', stream: true })).text()
    await (await world.chat(key, { model: 'nobody-serves-this' })).text()
    await (await world.chat('sk-wrong', { model: 'plain' })).text()
    await (await fetch(`${world.url}/v1/models`, { headers })).text()
  })
  afterAll(async () => {
    await world.close()
    await Promise.all([emulator.close(), provider.close(), broken.close(), collector.close()])
  })
  const scrape = async (authorization?: string, init: RequestInit = {}) =>
    await fetch(`${world.url}/metrics`, { headers: authorization === undefined ? {} : { authorization }, ...init })
  const lines = async (start: string) =>
    (await (await scrape(`Bearer ${TOKEN}`)).text()).split('\n').filter((line) => line.startsWith(start))

  it('is shown to a caller that sends the token', { tags: 'S28' }, async () => {
    const replies = await Promise.all([
      scrape(),
      scrape('Bearer wrong'),
      scrape(`Basic ${TOKEN}`),
      scrape(`Bearer ${TOKEN}`, { method: 'POST' }),
      scrape(`bearer ${TOKEN}`),
    ])
    expect(replies.map(({ status }) => status)).toEqual([401, 401, 401, 405, 200])
    expect(replies[4]?.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
  })

  it('counts requests, tokens and quota by what was requested and who answered', async () => {
    expect(await lines('sluice_relay_requests_total{')).toEqual([
      `sluice_relay_requests_total{endpoint="/v1/chat/completions",model="plain",channel="${channel}",status="2xx"} 1`,
      `sluice_relay_requests_total{endpoint="/v1/chat/completions",model="emu-fast",channel="${channel + 1}",status="2xx"} 1`,
      'sluice_relay_requests_total{endpoint="/v1/chat/completions",model="",channel="",status="4xx"} 2',
      'sluice_relay_requests_total{endpoint="/v1/models",model="",channel="",status="2xx"} 1',
    ])
    expect(await lines('sluice_relay_tokens_total{model="plain"')).toEqual([
      `sluice_relay_tokens_total{model="plain",channel="${channel}",type="input"} 20`,
      `sluice_relay_tokens_total{model="plain",channel="${channel}",type="output"} 4`,
      `sluice_relay_tokens_total{model="plain",channel="${channel}",type="cached_input"} 10`,
    ])
    expect(await lines('sluice_relay_quota_total{model="plain"')).toEqual([
      `sluice_relay_quota_total{model="plain",channel="${channel}"} 38`,
    ])
    expect(await lines('sluice_relay_refusals_total')).toEqual([
      'sluice_relay_refusals_total{code="model_not_found"} 1',
      'sluice_relay_refusals_total{code="invalid_key"} 1',
    ])
    expect(await lines('sluice_relay_retried_requests_total')).toEqual([
      'sluice_relay_retried_requests_total{outcome="answered"} 1',
    ])
    expect(
      await lines('sluice_relay_first_byte_seconds_count{endpoint="/v1/chat/completions",model="emu-fast"}'),
    ).toEqual(['sluice_relay_first_byte_seconds_count{endpoint="/v1/chat/completions",model="emu-fast"} 1'])
  })

  it('counts calls to providers by cause, and shows the state of channels and process', async () => {
    expect(await lines('sluice_upstream_calls_total{')).toEqual([
      `sluice_upstream_calls_total{channel="${brokenChannel}",model="plain",cause="provider"} 1`,
      `sluice_upstream_calls_total{channel="${channel}",model="plain",cause="answered"} 1`,
      `sluice_upstream_calls_total{channel="${channel + 1}",model="emu-fast",cause="answered"} 1`,
    ])
    expect(await lines('sluice_channel_info')).toContain(
      `sluice_channel_info{channel="${channel}",name="upstream",type="OpenAI Compatible"} 1`,
    )
    expect(await lines(`sluice_lanes{channel="${channel}",standing="ready"}`)).toEqual([
      `sluice_lanes{channel="${channel}",standing="ready"} 1`,
    ])
    expect(await lines('sluice_database_up')).toEqual(['sluice_database_up 1'])
    expect(await lines('sluice_replicas')).toEqual(['sluice_replicas 1'])
    expect(await lines('sluice_open_requests')).toEqual(['sluice_open_requests 0'])
    const [memory = ''] = await lines('process_resident_memory_bytes')
    expect(Number(memory.split(' ')[1])).toBeGreaterThan(20_000_000)
    await vi.waitFor(async () => expect((await lines('sluice_event_loop_delay_seconds_count')).length).toBe(1))
  })

  it('passes a client’s trace on to no provider', { tags: 'S29' }, () => {
    const [request] = provider.seen
    expect(request?.headers).not.toHaveProperty('traceparent')
    expect(request?.headers).not.toHaveProperty('tracestate')
    expect(request?.body).toContain('prompt-canary')
  })

  it('writes the trace next to the request’s id in its log', () => {
    const line = world.log.find((text) => text.includes('"answered"') && text.includes(TRACE))
    expect(JSON.parse(line ?? '{}')).toMatchObject({
      traceId: TRACE,
      requestId: expect.stringMatching(/^[0-9a-f]{32}$/),
    })
  })

  it('has stored the history of channels by the end: their requests and their tests', async () => {
    await world.root.call(testChannel, { path: { id: channel + 1 } })
    await world.stop()
    expect(
      await world.rows(
        'select channel_id, answered, failed from channel_history where span_s = 300 order by channel_id',
      ),
    ).toEqual([
      { channel_id: brokenChannel, answered: 0, failed: 1 },
      { channel_id: channel, answered: 1, failed: 0 },
      { channel_id: channel + 1, answered: 2, failed: 0 },
    ])
  })

  it('has sent spans that hold no text written by anyone, in the trace of the client', async () => {
    const [request] = collector.seen
    expect(request).toMatchObject({ path: '/v1/traces', headers: { 'x-collector-key': 'collector-canary' } })
    for (const { body } of collector.seen) {
      expect(body).not.toMatch(/(prompt|answer|vendor|state|key)-canary|sk-|127\.0\.0\.1/)
    }
    const spans = collector.seen.flatMap(
      ({ body }): SentSpan[] => JSON.parse(body).resourceSpans[0].scopeSpans[0].spans,
    )
    const own = spans.filter(({ traceId }) => traceId === TRACE)
    const [server, failed, served] = own
    expect(own).toHaveLength(3)
    expect(server).toMatchObject({ kind: 2, parentSpanId: PARENT, name: 'POST /v1/chat/completions' })
    expect(failed).toMatchObject({ kind: 3, parentSpanId: server?.spanId, name: 'chat plain', status: { code: 2 } })
    const valueOf = (span: SentSpan | undefined, name: string) =>
      span?.attributes.find(({ key: own }) => own === name)?.value
    expect(valueOf(failed, 'http.response.status_code')).toEqual({ intValue: '500' })
    expect(valueOf(served, 'gen_ai.usage.input_tokens')).toEqual({ intValue: '30' })
    expect(valueOf(served, 'sluice.channel.id')).toEqual({ intValue: String(channel) })
    expect(spans.filter(({ kind }) => kind === 2)).toHaveLength(5)
    const refused = spans.find((span) => valueOf(span, 'error.type')?.['stringValue'] === 'model_not_found')
    expect(refused?.parentSpanId).toBeUndefined()
  })
})
