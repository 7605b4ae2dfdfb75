import { expect, test } from 'vitest'
import { createEndingModelWatch } from './ending-models.ts'

const END = Date.UTC(2027, 0, 14)
const DAY_MS = 86_400_000

test('a model in use is reported from 30 days before its end, at every charge, and by channel', () => {
  let now = END - 30 * DAY_MS - 1
  const raised: object[] = []
  const charged = createEndingModelWatch(
    (event) => raised.push(event),
    () => now,
  )
  const use = (channel: number, type = 1, model = 'gpt-4o') => charged({ channel, type, model })
  use(7)
  expect(raised).toEqual([])
  now = END - 30 * DAY_MS
  use(7)
  use(7)
  use(8)
  use(9, 1, 'gpt-6-luna')
  use(9, 3)
  const event = { kind: 'ending_model', subject: 'gpt-4o: 2027-01-14' }
  expect(raised).toEqual([7, 7, 8].map((channelId) => ({ ...event, channelId })))
  now = END
  use(7)
  expect(raised).toHaveLength(3)
})
