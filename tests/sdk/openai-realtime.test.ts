import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { createServer } from 'node:tls'
import { selfSigned } from '@sluice/testkit/certificate'
import { REALTIME_USAGE, type RealtimeProvider, startRealtimeProvider } from '@sluice/testkit/realtime-provider'
import { openWorkbench, type Workbench } from '@sluice/testkit/workbench'
import OpenAI from 'openai'
import { OpenAIRealtimeWS } from 'openai/realtime/ws'
import { afterAll, beforeAll, expect, it } from 'vitest'

let bench: Workbench
let provider: RealtimeProvider
let key = ''
const certificate = selfSigned()
/** The official client speaks only TLS, so TLS ends in front of the gateway, as in production. */
const front = createServer(certificate, (socket) => {
  const { hostname, port } = new URL(bench.gateway.url)
  const behind = connect(Number(port), hostname)
  socket.on('error', () => behind.destroy())
  behind.on('error', () => socket.destroy())
  socket.pipe(behind).pipe(socket)
})

beforeAll(async () => {
  bench = await openWorkbench()
  provider = await startRealtimeProvider()
  await bench.addChannel(['gpt-realtime'], { base_url: provider.url })
  key = await bench.addToken()
  front.listen(0, '127.0.0.1')
  await once(front, 'listening')
})
afterAll(async () => {
  front.close()
  await provider.close()
  await bench.close()
})

it('the official client talks, and learns what it cost', async () => {
  const { port } = front.address() as AddressInfo
  const openai = new OpenAI({ apiKey: key, baseURL: `https://localhost:${port}/v1` })
  const session = new OpenAIRealtimeWS({ model: 'gpt-realtime', options: { ca: certificate.cert } }, openai)
  const heard: string[] = []
  session.on('event', ({ type }) => heard.push(type))
  const done = new Promise<unknown>((resolve, reject) => {
    session.on('response.done', ({ response }) => resolve(response.usage))
    session.on('error', reject)
  })
  await once(session.socket, 'open')
  session.send({ type: 'session.update', session: { type: 'realtime', instructions: 'Be brief.' } })
  session.send({ type: 'response.create' })
  expect(await done).toEqual(REALTIME_USAGE)
  expect(heard).toEqual([
    'session.created',
    'session.updated',
    'response.created',
    ...Array.from({ length: 5 }, () => 'response.output_audio.delta'),
    'response.output_audio_transcript.delta',
    'response.done',
  ])
  session.close()
  await once(session.socket, 'close')
  await expect.poll(() => provider.open).toBe(0)
})

it('a browser’s websocket, which cannot send headers, passes its key among the protocols', async () => {
  const address = `${bench.gateway.url.replace('http', 'ws')}/v1/realtime?model=gpt-realtime`
  const socket = new WebSocket(address, ['realtime', `openai-insecure-api-key.${key}`])
  const first = new Promise((resolve, reject) => {
    socket.addEventListener('message', ({ data }) => resolve(JSON.parse(String(data))))
    socket.addEventListener('error', reject)
  })
  expect(await first).toMatchObject({ type: 'session.created' })
  expect(socket.protocol).toBe('realtime')
  const closed = new Promise((resolve) => {
    socket.addEventListener('close', resolve)
  })
  socket.close()
  await closed
})
