import { CLIENT_DIALECTS, type ClientDialect } from '../../../packages/dialects/laws/client-dialects.ts'
import { UPSTREAM_CODECS } from '../../../packages/dialects/laws/codecs.ts'
import { CONTEXT, eventsOf, framesOf, streamOf } from '../../../packages/dialects/laws/views.ts'
import { isBodyRefusal } from '../../../packages/dialects/src/body-refusal.ts'
import { withTakenNames } from '../../../packages/dialects/src/canon/calls/tool-aliases.ts'
import { isInexpressible, type UpstreamCodec } from '../../../packages/dialects/src/canon/codec.ts'
import type { Loss } from '../../../packages/dialects/src/canon/losses.ts'
import { fold } from '../../../packages/dialects/src/canon/reply.ts'
import { answerWith, requestWith, streamWith } from './places.ts'
import type { VendorShape } from './read-shapes.ts'
import { WORD } from './sample.ts'
import { isOfRequest } from './vendor-unions.ts'

/**
 * The fate of a shape. `carried`: it arrives unchanged in meaning and kind. `near`: it arrives as another kind with the same
 * meaning. `text`: its readable content arrives as text or as a picture. `refused`: the client gets an error that names it.
 * `dropped`: it does not arrive, and the losses list it. `hidden`: part of an answer that clients of other dialects are not shown.
 * `silent`: lost without any notice; a test fails.
 */
export type OutcomeKind = 'carried' | 'near' | 'text' | 'refused' | 'dropped' | 'hidden' | 'silent'

export interface Outcome {
  readonly kind: OutcomeKind
  readonly losses: readonly Loss[]
}

/** Providers with whole conversations; the others only get questions and return answers. */
const PROVIDERS: readonly UpstreamCodec[] = UPSTREAM_CODECS.filter(({ dialect }) =>
  ['openai-chat', 'openai-responses', 'anthropic-messages', 'gemini', 'bedrock-converse', 'cohere'].includes(dialect),
)

export function dialectOf({ place }: VendorShape): string {
  return place.slice(0, place.indexOf(' '))
}

/** By provider dialect for request shapes, by client dialect for answer shapes. The shape's own dialect passes it on. */
export function outcomesOf(shape: VendorShape): ReadonlyMap<string, Outcome> {
  const own = dialectOf(shape)
  return isOfRequest(shape.place)
    ? new Map(
        PROVIDERS.filter(({ dialect }) => dialect !== own).map((codec) => [codec.dialect, requested(shape, codec)]),
      )
    : new Map(
        CLIENT_DIALECTS.filter(({ dialect }) => dialect !== own).map((client) => [
          client.dialect,
          shown(shape, client),
        ]),
      )
}

function requested(shape: VendorShape, codec: UpstreamCodec): Outcome {
  const client = CLIENT_DIALECTS.find(({ dialect }) => dialect === dialectOf(shape))
  const request = client?.client.decodeRequest(requestWith(shape), { model: 'm', stream: false })
  if (request === undefined || isBodyRefusal(request)) return only('refused')
  const named = withTakenNames(request, codec.dialect)
  const encoded = codec.encodeRequest(named.request, {
    model: codec.dialect === 'gemini' ? 'gemini-3-pro' : 'm',
    stream: false,
    takes: {},
    defaultMaxTokens: 4_096,
  })
  if (isInexpressible(encoded)) return only('refused')
  const losses = [...named.losses, ...encoded.losses]
  const arrived = arrivedOf(shape.sample, encoded.body)
  if (arrived !== 'all' && losses.length === 0) return only('silent')
  const own = losses.find((loss) => names(loss, shape))
  if (own?.became === 'dropped' || (arrived === 'none' && losses.some(({ became }) => became === 'dropped')))
    return { kind: 'dropped', losses }
  if (own === undefined) return { kind: 'carried', losses }
  return { kind: own.what === shape.name ? 'text' : 'near', losses }
}

/** Whether a loss names the shape itself, not something in it. */
function names({ what }: Loss, { name, place }: VendorShape): boolean {
  return (
    what === name ||
    what === `tools[${name}]` ||
    what.endsWith(`].${name}`) ||
    (place.endsWith('tool choice') && what === 'tool_choice') ||
    (place.endsWith('citation') && what.endsWith('citations')) ||
    (/thinking|thought|reasoning/.test(name) && /reasoning/.test(what))
  )
}

/** Whole, and streamed if that is read differently: both must agree. */
function shown(shape: VendorShape, { client, upstream }: ClientDialect): Outcome {
  const codec = PROVIDERS.find(({ dialect }) => dialect === dialectOf(shape))
  if (codec === undefined) return only('silent')
  const answer = answerWith(shape)
  const reply = fold(codec.decodeReply(answer))
  const whole = client.encodeReply(reply, CONTEXT)
  const frames = streamWith(shape.place, answer)?.map((event) => ({ name: '', data: JSON.stringify(event) }))
  const streamed =
    frames === undefined
      ? whole
      : fold(
          eventsOf(
            upstream.openDecoder(),
            framesOf(streamOf(client, eventsOf(codec.openDecoder(), frames), undefined)),
          ),
        )
  const isForeign = reply.blocks.some(({ kind }) => kind === 'opaque')
  const arrived = [whole, streamed].map((body) => {
    // A foreign shape without words is recognized by the name before its text.
    if (hasWords(shape.sample) || !isForeign) return arrivedOf(shape.sample, body)
    return JSON.stringify(body).includes(`[${shape.name}]`) ? 'all' : 'none'
  })
  if (arrived.every((each) => each === 'none')) return only(isForeign || isBeside(shape) ? 'hidden' : 'silent')
  return only(arrived.includes('none') ? 'silent' : isForeign ? 'text' : 'carried')
}

/** Gemini's remarks about a part, besides its content, are not shown: speakers in audio, stretches of a video. */
function isBeside({ place, name }: VendorShape): boolean {
  return place === 'gemini answer part' && ['videoMetadata', 'partMetadata', 'speechMetadata'].includes(name)
}

const only = (kind: OutcomeKind): Outcome => ({ kind, losses: [] })

const hasWords = (sample: unknown): boolean => JSON.stringify(sample).match(WORD) !== null

/** With base64 content decoded: text files, signatures. */
function readable(json: string): string {
  const packed = json.match(/(?<=[",])[\w+/-]{8,}=*(?=")/g) ?? []
  return [json, ...packed.map((text) => Buffer.from(text, 'base64').toString())].join('\n')
}

/** How many of a sample's words are in a body. A sample without words counts as complete. */
function arrivedOf(sample: unknown, body: unknown): 'all' | 'some' | 'none' {
  const text = readable(JSON.stringify(body))
  const words = [...new Set(JSON.stringify(sample).match(WORD) ?? [])]
  const found = words.filter((word) => text.includes(word))
  return found.length === words.length ? 'all' : found.length === 0 ? 'none' : 'some'
}
