import { expect, test } from 'vitest'
import { CLIENT_DIALECTS } from '../../../packages/dialects/laws/client-dialects.ts'
import { UPSTREAM_CODECS } from '../../../packages/dialects/laws/codecs.ts'
import { ANSWER_FEATURES } from './answer-features.ts'
import { hear } from './hearing.ts'
import { recordingsOf } from './recordings.ts'

const pairs = UPSTREAM_CODECS.flatMap((codec) => CLIENT_DIALECTS.map((spoken) => ({ codec, spoken })))

test.each(pairs.map((pair) => ({ ...pair, from: pair.codec.dialect, to: pair.spoken.dialect })))(
  'what $from says reaches clients of $to',
  ({ codec, spoken }) => {
    const unheard = recordingsOf(codec).flatMap((recording) => {
      const heard = hear(spoken, recording)
      return ANSWER_FEATURES.filter(
        (feature) => feature.isIn(recording.reply) && feature.arrives({ recording, heard, spoken, codec }) === 'no',
      ).map(({ name }) => `${name} of ${recording.name}`)
    })
    expect(unheard).toStrictEqual([])
  },
)

test('every feature appears in an answer of some provider', () => {
  const replies = UPSTREAM_CODECS.flatMap((codec) => recordingsOf(codec)).map(({ reply }) => reply)
  for (const feature of ANSWER_FEATURES) expect(replies.some(feature.isIn), feature.name).toBe(true)
})
