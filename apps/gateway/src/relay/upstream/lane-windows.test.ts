import { openAi } from '@sluice/providers/kinds/openai'
import { createHealth } from '@sluice/routing/lane-health'
import { startSite } from '@sluice/testkit/http-site'
import { Agent } from 'undici'
import { expect, test } from 'vitest'
import type { AnswerReader } from '../calls/answer-reader.ts'
import { CALLERS_KEY } from '../stages/route.ts'
import { beginLaneCall } from './lane-call.ts'
import { UpstreamCall } from './upstream-call.ts'

const NOW = Date.parse('2026-11-28T10:00:00Z')
const READER: AnswerReader = {
  openStream() {
    throw new Error('the call is a plain one')
  },
  readAnswer: () => ({ usage: undefined, error: undefined, delivered: undefined }),
  asEvents: (body) => body,
}

async function answeredWith(headers: Readonly<Record<string, string>>, key: string) {
  const site = await startSite(() => ({ headers, body: {} }))
  const agent = new Agent()
  const health = createHealth({ capacity: 10, random: () => 0 })
  const lane = { channel: 1, key, model: 'm' }
  const laneCall = beginLaneCall({ health, onCalled: () => {}, now: () => NOW, steady: () => 0 }, { lane }, 1)
  const request = { method: 'POST', path: '/', headers: [], credentials: undefined, stream: false, losses: [] } as const
  const sent = { ...request, origin: site.url, body: Buffer.from('{}'), reader: READER, kind: openAi }
  const call = new UpstreamCall(sent, { bytes: 1_000, hold: () => undefined }, () => NOW)
  const start = await call.start(agent)
  laneCall.answered(call)
  const cooldown = laneCall.end(call, 'answered', '')
  await agent.destroy()
  await site.close()
  return { kind: start.kind, cooldown, views: health.views(NOW), standing: health.standing(lane, NOW) }
}

const USED_UP = {
  date: new Date(NOW).toUTCString(),
  'x-ratelimit-limit-requests': '100',
  'x-ratelimit-remaining-requests': '0',
  'x-ratelimit-reset-requests': '1m30s',
}

test('a lane rests until the reset that a good answer names, without ever being refused', async () => {
  const { kind, cooldown, views, standing } = await answeredWith(USED_UP, 'a1')
  expect(kind).toBe('plain')
  expect(cooldown).toMatchObject({ cause: 'limited', until: NOW + 90_000 })
  expect(standing).toMatchObject({ kind: 'resting', until: NOW + 90_000 })
  expect(views).toMatchObject([{ windows: [{ name: 'requests', used: 1, resetsAt: NOW + 90_000 }] }])
})

test('what is said about a caller’s own key is neither kept nor held against the others', async () => {
  const { cooldown, views, standing } = await answeredWith(USED_UP, CALLERS_KEY)
  expect([cooldown, standing.kind, views[0]?.windows]).toEqual([undefined, 'ready', []])
})
