import { openAi } from '@sluice/providers/kinds/openai'
import { channelSnapshot } from '@sluice/testkit/channel-snapshot'
import { expect, test } from 'vitest'
import { createRoutingTable } from '../routing/routing-table.ts'
import { type CallerCredential, SentCredential, StoredCredential } from '../stages/caller-credential.ts'
import { refusedToCaller } from './dispatch.ts'
import { failureOfStatus } from './failure.ts'

const config = '{"credentials":"caller_or_own"}'
const { table } = createRoutingTable([channelSnapshot(1, { type: 1, baseUrl: '', config })], (sealed) => sealed)
const route = table.channel(1)?.route
const REFUSED = failureOfStatus(openAi, 401, Buffer.from('{"error":{"message":"no"}}'), undefined)

function told(credential: CallerCredential | undefined, failure = REFUSED) {
  const used = credential === undefined ? route : route?.callers?.bind(credential)
  if (used === undefined) throw new Error('the channel takes no key')
  return refusedToCaller({ route: used }, failure)
}
const stored = (fallsBack: boolean) => new StoredCredential('sk-proj-stored', { vendor: 'OpenAI', fallsBack })

test.each([
  [
    'that was sent along ends the request',
    new SentCredential('X-Api-Key', 'sk-proj-sent'),
    'the key in the header X-Api-Key',
    false,
  ],
  ['that is stored ends it', stored(false), 'your own key of OpenAI', false],
  ['that may fall back lets the next lane try', stored(true), 'your own key of OpenAI', true],
])('a refused key %s', (_, credential, what, retry) => {
  const refusal = { code: 'caller_credential_refused', params: { what } }
  expect(told(credential)).toEqual({ ...REFUSED, reply: { refusal }, retry })
})

test('what is not about a caller’s key stays as it was', () => {
  expect(told(undefined)).toBe(REFUSED)
  const down = failureOfStatus(openAi, 500, Buffer.alloc(0), undefined)
  expect(told(stored(false), down)).toBe(down)
})
