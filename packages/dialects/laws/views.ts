import type { Frame } from '../src/canon/codec.ts'
import type { AnswerDecoder, AnswerContext, ClientCodec } from '../src/canon/codec.ts'
import type { AnswerEvent } from '../src/canon/events.ts'
import type { ChatDialect, ReasoningSignature } from '../src/canon/parts.ts'
import type { CanonReply, ReplyBlock } from '../src/canon/reply.ts'
import type { CanonRequest } from '../src/canon/request.ts'
import { unwrapSignature } from '../src/canon/signature.ts'
import { openSseFrames } from '../src/framing/frames.ts'
import type { TokenCounts } from '../src/token-counts.ts'
import { argsOf } from './facets.ts'

export const EMPTY_REQUEST: CanonRequest = {
  model: 'some-model',
  stream: true,
  system: [],
  turns: [],
  tools: [],
  builtins: [],
  sampling: {},
  extra: { dialect: 'openai-chat', fields: {} },
}

export const CONTEXT: AnswerContext = {
  request: EMPTY_REQUEST,
  idSeed: '0192f3a1',
  created: 1_790_000_000,
  now: () => 1_790_000_008,
  promptEstimate: 7,
  wantsUsage: true,
}

/** The bytes that a client receives for these events. */
export function streamOf(
  codec: ClientCodec,
  events: readonly AnswerEvent[],
  counts: TokenCounts | undefined,
): Uint8Array {
  const encoder = codec.openEncoder(CONTEXT)
  const pieces: Uint8Array[] = []
  for (const event of events) {
    if (event.type === 'usage' || event.type === 'error') continue
    if (event.type === 'finish') {
      const { forward, terminal } = encoder.finish(event, counts)
      pieces.push(...forward, terminal)
    } else pieces.push(...encoder.push(event))
  }
  return joined(pieces)
}

export function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const piece of pieces) {
    bytes.set(piece, at)
    at += piece.length
  }
  return bytes
}

export function framesOf(bytes: Uint8Array): readonly Frame[] {
  const reader = openSseFrames()
  return [...reader.push(bytes), ...reader.end()]
}

export function eventsOf(decoder: AnswerDecoder, frames: readonly Frame[]): readonly AnswerEvent[] {
  return [...frames.flatMap((frame) => decoder.push(frame)), ...decoder.end()]
}

/** An answer's content, however the dialect cuts it into pieces. */
export interface AnswerView {
  readonly said: readonly string[]
  /** Sources without duplicates: some dialects send them with the text, others at the end. */
  readonly cited: readonly string[]
  readonly reason: string | undefined
  readonly error: string | undefined
}

/** An answer as comparable lines. `gathered` sorts by kind, for dialects with all text in one member and all calls in another. */
export function viewOf(reply: CanonReply, dialect: ChatDialect, gathered: boolean): AnswerView {
  const lines: (readonly [kind: string, text: string])[] = []
  for (const block of reply.blocks) {
    for (const [kind, text] of linesOf(block, dialect)) {
      const last = lines.at(-1)
      if (text === '' && kind !== 'proof') continue
      if (last?.[0] === kind && kind !== 'proof' && kind !== 'calls') lines[lines.length - 1] = [kind, last[1] + text]
      else lines.push([kind, text])
    }
  }
  const said = gathered ? gather(lines) : lines.map(([kind, text]) => `${kind} ${text}`)
  const cited = reply.blocks.flatMap((block) => (block.kind === 'text' ? block.citations.map(({ url }) => url) : []))
  return { said, cited: [...new Set(cited)].toSorted(), reason: reply.finish?.reason, error: reply.error?.message }
}

function gather(lines: readonly (readonly [kind: string, text: string])[]): readonly string[] {
  const kinds = ['reasoning', 'text', 'refusal']
  const of = (kind: string) => lines.filter(([found]) => found === kind).map(([, text]) => text)
  return [
    ...kinds.map((kind) => `${kind} ${of(kind).join('')}`),
    ...of('proof').toSorted(),
    ...['calls', 'shows', 'sounds', 'opaque'].flatMap((kind) => of(kind).map((text) => `${kind} ${text}`)),
  ]
}

function linesOf(block: ReplyBlock, dialect: ChatDialect): readonly (readonly [kind: string, text: string])[] {
  switch (block.kind) {
    case 'text':
      return [['text', block.text]]
    case 'reasoning':
      return [['reasoning', block.text], ...signatureLines(block.signature, dialect)]
    case 'refusal':
      return [['refusal', block.text]]
    case 'tool':
      return [...signatureLines(block.signature, dialect), ['calls', `${block.id} ${block.name} ${argsOf(block.args)}`]]
    case 'image':
      return [['shows', `${block.mime} ${block.data}`]]
    case 'audio':
      return [['sounds', `${block.mime} ${block.data}`]]
    case 'opaque':
      return [['opaque', `${block.name} ${JSON.stringify(block.value)}`]]
  }
}

function signatureLines(
  signature: ReasoningSignature | undefined,
  dialect: ChatDialect,
): readonly (readonly ['proof', string])[] {
  if (signature === undefined) return []
  const { dialect: origin, value } =
    signature.dialect === dialect ? unwrapSignature(signature.value, dialect) : signature
  return [['proof', `${origin} ${value}`]]
}
