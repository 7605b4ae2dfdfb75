import { expect, test } from 'vitest'
import type { Unanswered } from '../stages/answered.ts'
import { finishedFailure } from './finished.ts'

const candidate = (channel: number, position: number, provider: string, upstreamModel: string) => ({
  route: { channel: { id: channel }, key: { position, of: 2 }, kind: { name: provider } },
  upstreamModel,
})
const attempt = (channel: number, key: number) => ({ channel, key, started: 1, ended: 2, status: 500, error: 'x' })

test('tries are reported with their provider and model, in whichever order the candidates were called', () => {
  const unanswered = {
    accepted: { id: 'r', headers: {}, method: 'POST', received: 0 },
    parsed: { model: 'm', stream: false },
    kind: { path: '/v1/chat/completions' },
    candidates: [candidate(1, 1, 'One', 'a'), candidate(1, 2, 'One', 'a'), candidate(2, 1, 'Two', 'b')],
    attempts: [attempt(1, 1), attempt(2, 1), attempt(1, 2)],
    failure: undefined,
  }
  const { attempts } = finishedFailure(unanswered as unknown as Unanswered, { settlement: undefined, commitMs: 0 }, 3)
  expect(attempts.map(({ channel, provider, model }) => [channel, provider, model])).toEqual([
    [1, 'One', 'a'],
    [2, 'Two', 'b'],
    [1, 'One', 'a'],
  ])
})
