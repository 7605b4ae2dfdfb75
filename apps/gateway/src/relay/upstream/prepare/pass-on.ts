import { isRefusal, type Refusal } from '@sluice/contract/errors'
import { holdsForeignSignature } from '@sluice/dialects/canon/signature'
import type { AnswerStream } from '@sluice/dialects/framing/answer-stream'
import { type Framing, openFrames } from '@sluice/dialects/framing/frames'
import { openReframedStream } from '@sluice/dialects/framing/reframed-stream'
import { applyQuirks } from '@sluice/dialects/openai-chat/quirks/apply-quirks'
import { isTouched } from '@sluice/dialects/openai-chat/quirks/is-touched'
import { splice } from '@sluice/dialects/splice/splice'
import type { TokenCounts } from '@sluice/dialects/token-counts'
import type { Adapter } from '@sluice/providers/adapters/adapter'
import { traitsOf } from '@sluice/providers/capabilities/capabilities'
import type { ProviderKind } from '@sluice/providers/kinds/kind'
import type { AnswerReader } from '../../calls/answer-reader.ts'
import { openJson } from '../../calls/light-json.ts'
import type { ParsedCall } from '../../calls/parsed-call.ts'
import { translate } from './translate.ts'
import { bodyOf, type UpstreamBody, type Source, type Target } from './upstream-body.ts'

/**
 * The client's own bytes, except for the spans that must differ. Signatures of other providers and thoughts that were translated
 * here cannot be passed on, so a conversation that contains one is translated again.
 */
export function passOn(source: Source, target: Target): UpstreamBody | Refusal {
  const { body, parsed } = source
  const { adapter, route, model } = target
  const { codec } = adapter.form.kind === 'pass' ? adapter.form : {}
  const isTranslated = isRewritten(source) || isSummarised(source, route.kind)
  if (codec !== undefined && parsed.conversation !== undefined && isTranslated) {
    return translate(source, target, codec)
  }
  const splices = parsed.edits(body, {
    model,
    askUsage: !adapter.quirks.includes('no-stream-options'),
    systemPrompt: route.channel.systemPrompt,
    ownsDialect: route.kind.dialect === parsed.conversation?.dialect,
  })
  if (isRefusal(splices)) return splices
  const bytes = splices.length === 0 ? body : Buffer.concat(splice(body, splices))
  const fitted = isFitting(bytes, parsed, adapter, model) ? { body: bytes, losses: [] } : fit(bytes, source, target)
  return {
    ...fitted,
    headers: parsed.headers,
    stream: parsed.stream,
    reader: adapter.framing === 'sse' ? parsed : new ReframedReader(adapter.framing, parsed),
  }
}

/** Whether the provider would mistake something in the body for its own. */
export function isRewritten({ body, parsed }: Pick<Source, 'body' | 'parsed'>): boolean {
  return parsed.storage?.hasTranslatedReasoning === true || holdsForeignSignature(body, parsed.conversation?.dialect)
}

/** Whether the model must write the summary because its provider cannot compact conversations, or not this one. */
export function isSummarised(
  source: Pick<Source, 'body' | 'parsed'>,
  { compacts }: Pick<ProviderKind, 'compacts'>,
): boolean {
  return source.parsed.compaction?.sealing !== undefined && (compacts !== true || isRewritten(source))
}

/** Whether the bytes can be sent unchanged. Quirks only apply to chat. */
function isFitting(bytes: Buffer, { conversation }: ParsedCall, { adapt, quirks }: Adapter, model: string): boolean {
  if (adapt !== undefined) return false
  if (conversation?.dialect !== 'openai-chat') return true
  const takes = () => traitsOf(model)
  return !isTouched(quirks, takes, (text) => bytes.includes(text))
}

function fit(
  bytes: Buffer,
  { accepted, parsed }: Source,
  { adapter, model }: Target,
): Pick<UpstreamBody, 'body' | 'losses'> {
  const light = openJson(bytes, accepted.id)
  const quirks = parsed.conversation?.dialect === 'openai-chat' ? adapter.quirks : []
  const { body, losses } = applyQuirks(light.json, quirks, { model, takes: traitsOf(model) })
  return { body: bodyOf(light, adapter, { body, headers: parsed.headers }, parsed.stream), losses }
}

class ReframedReader implements AnswerReader {
  readonly #framing: Framing
  readonly #reader: AnswerReader

  constructor(framing: Framing, reader: AnswerReader) {
    this.#framing = framing
    this.#reader = reader
  }

  openStream(): AnswerStream {
    return openReframedStream(openFrames(this.#framing), this.#reader.openStream())
  }

  readAnswer(body: Buffer, contentType: string): ReturnType<AnswerReader['readAnswer']> {
    return this.#reader.readAnswer(body, contentType)
  }

  asEvents(body: Buffer, counted?: TokenCounts): Uint8Array {
    return this.#reader.asEvents(body, counted)
  }
}
