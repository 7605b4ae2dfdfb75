import type { ClientDialect } from '../../../packages/dialects/laws/client-dialects.ts'
import { argsOf } from '../../../packages/dialects/laws/facets.ts'
import type { UpstreamCodec } from '../../../packages/dialects/src/canon/codec.ts'
import type { CanonReply } from '../../../packages/dialects/src/canon/reply.ts'
import type { TokenCounts } from '../../../packages/dialects/src/token-counts.ts'
import { type Heard, hearError } from './hearing.ts'
import type { Recording } from './recordings.ts'
import { isSignatureRepeated } from './replay.ts'

export interface AnswerFeature {
  readonly name: string
  readonly isIn: (reply: CanonReply) => boolean
  readonly arrives: (question: Question) => Arrival
}

export interface Question {
  readonly recording: Recording
  readonly heard: Heard
  readonly spoken: ClientDialect
  readonly codec: UpstreamCodec
}

/** `text`: expressed in words, because there is no field for it. */
export type Arrival = 'yes' | 'text' | 'no'

const textOf = (reply: CanonReply, kind: 'text' | 'reasoning' | 'refusal'): string =>
  reply.blocks.map((block) => (block.kind === kind ? block.text : '')).join('')

const callsOf = (reply: CanonReply): string =>
  JSON.stringify(
    reply.blocks.flatMap((block) => (block.kind === 'tool' ? [[block.id, block.name, argsOf(block.args)]] : [])),
  )

const citedIn = (reply: CanonReply): string =>
  [...new Set(reply.blocks.flatMap((block) => (block.kind === 'text' ? block.citations.map(({ url }) => url) : [])))]
    .toSorted()
    .join(' ')

/** The feature arrives when it reads the same in the stream and in the whole answer. */
function same(read: (reply: CanonReply) => unknown): AnswerFeature['arrives'] {
  return ({ recording, heard }) => {
    const said = JSON.stringify(read(recording.reply))
    return [heard.streamed, heard.whole].every((reply) => JSON.stringify(read(reply)) === said) ? 'yes' : 'no'
  }
}

const calls = (reply: CanonReply): number => reply.blocks.filter(({ kind }) => kind === 'tool').length

const prompt = ({ input, cachedInput, cacheWrite5m, cacheWrite1h }: TokenCounts): number =>
  input + cachedInput + cacheWrite5m + cacheWrite1h

const usage = ({ usage: report }: CanonReply): unknown =>
  report?.counts === undefined
    ? undefined
    : { prompt: prompt(report.counts), cached: report.counts.cachedInput, output: report.counts.output }

export const ANSWER_FEATURES: readonly AnswerFeature[] = [
  { name: 'text', isIn: (reply) => textOf(reply, 'text') !== '', arrives: same((reply) => textOf(reply, 'text')) },
  {
    name: 'reasoning',
    isIn: (reply) => textOf(reply, 'reasoning') !== '',
    arrives: same((reply) => textOf(reply, 'reasoning')),
  },
  {
    name: 'signatures, shown again',
    isIn: ({ blocks }) => blocks.some((block) => 'signature' in block && block.signature !== undefined),
    arrives: ({ recording, heard, spoken, codec }) =>
      isSignatureRepeated(recording.reply, heard, spoken, codec) ? 'yes' : 'no',
  },
  { name: 'a call of a tool', isIn: (reply) => calls(reply) === 1, arrives: same(callsOf) },
  { name: 'parallel calls', isIn: (reply) => calls(reply) > 1, arrives: same(callsOf) },
  {
    name: 'refusal',
    isIn: (reply) => textOf(reply, 'refusal') !== '' || reply.finish?.reason === 'content-filter',
    arrives: refusalArrives,
  },
  { name: 'sources', isIn: (reply) => citedIn(reply) !== '', arrives: same(citedIn) },
  {
    name: 'reason of the end',
    // A refusal expressed in words gives its reason.
    isIn: (reply) => reply.finish !== undefined && textOf(reply, 'refusal') === '',
    arrives: same(({ finish }) => finish?.reason),
  },
  {
    name: 'usage',
    isIn: (reply) => reply.finish !== undefined && usage(reply) !== undefined,
    arrives: same(usage),
  },
  {
    name: 'tokens from the cache',
    isIn: ({ usage: report }) => (report?.counts?.cachedInput ?? 0) > 0,
    arrives: same(({ usage: report }) => report?.counts?.cachedInput),
  },
  {
    name: 'order of the stream',
    isIn: ({ finish }) => finish !== undefined,
    arrives: ({ heard, spoken }) => (spoken.order(heard.frames) === undefined ? 'yes' : 'no'),
  },
  {
    name: 'error inside the answer',
    isIn: ({ error }) => error !== undefined,
    arrives: ({ recording, spoken }) =>
      hearError(spoken, recording)?.includes(recording.reply.error?.message ?? '?') === true ? 'yes' : 'no',
  },
]

/** A refusal arrives as its reason or its words; some providers give only a reason. */
function refusalArrives({ recording, heard }: Question): Arrival {
  const said = textOf(recording.reply, 'refusal')
  const replies = [heard.streamed, heard.whole]
  if (recording.reply.finish?.reason === 'content-filter') {
    return replies.every(({ finish }) => finish?.reason === 'content-filter') ? 'yes' : 'no'
  }
  if (replies.every((reply) => textOf(reply, 'refusal') === said)) return 'yes'
  return replies.every((reply) => textOf(reply, 'text').includes(said)) ? 'text' : 'no'
}
