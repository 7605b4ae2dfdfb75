import type { Refusal } from '@sluice/contract/errors'
import { holdsForeignProof } from '@sluice/dialects/canon/proof'
import type { AnswerStream } from '@sluice/dialects/framing/answer-stream'
import { type Framing, openFrames } from '@sluice/dialects/framing/frames'
import { openReframedStream } from '@sluice/dialects/framing/reframed-stream'
import { applyQuirks } from '@sluice/dialects/openai-chat/quirks/apply-quirks'
import { isTouched } from '@sluice/dialects/openai-chat/quirks/is-touched'
import { splice } from '@sluice/dialects/splice/splice'
import { traitsOf } from '@sluice/providers/capabilities/capabilities'
import type { Way } from '@sluice/providers/ways/way'
import type { AnswerReader, Asked } from '../calls/asked.ts'
import { bodyOf, openJson, type Rendition, type Source, type Towards } from './rendition.ts'
import { translate } from './translate.ts'

/**
 * The client's own bytes, but for the spans that must differ. Signatures of other providers and thoughts that were told here
 * cannot be passed on, so a conversation that holds one is told anew.
 */
export function passOn(source: Source, towards: Towards): Rendition | Refusal {
  const { body, asked } = source
  const { way, route, model } = towards
  const { codec } = way.form.kind === 'pass' ? way.form : {}
  if (codec !== undefined && asked.conversation !== undefined && isToldAnew(source)) {
    return translate(source, towards, codec)
  }
  const splices = asked.edits(body, {
    model,
    askUsage: !way.quirks.includes('no-stream-options'),
    systemPrompt: route.channel.systemPrompt,
  })
  if ('code' in splices) return splices
  const bytes = splices.length === 0 ? body : Buffer.concat(splice(body, splices))
  const fitted = isFitting(bytes, asked, way, model) ? { body: bytes, losses: [] } : fit(bytes, source, towards)
  return {
    ...fitted,
    headers: asked.headers,
    stream: asked.stream,
    reader: way.framing === 'sse' ? asked : new ReframedReader(way.framing, asked),
  }
}

/** Whether its provider would take something in the body for its own that is not. */
export function isToldAnew({ body, asked }: Pick<Source, 'body' | 'asked'>): boolean {
  return asked.kept?.hasToldReasoning === true || holdsForeignProof(body, asked.conversation?.dialect)
}

/** Whether the bytes can go as they are. Quirks are about chat; other calls of such providers have none. */
function isFitting(bytes: Buffer, { conversation }: Asked, { adapt, quirks }: Way, model: string): boolean {
  if (adapt !== undefined) return false
  if (conversation?.dialect !== 'openai-chat') return true
  const takes = () => traitsOf(model)
  return !isTouched(quirks, takes, (text) => bytes.includes(text))
}

/** The body as the provider or its carrier takes it. */
function fit(bytes: Buffer, { accepted, asked }: Source, { way, model }: Towards): Pick<Rendition, 'body' | 'losses'> {
  const light = openJson(bytes, accepted.id)
  const quirks = asked.conversation?.dialect === 'openai-chat' ? way.quirks : []
  const { body, losses } = applyQuirks(light.json, quirks, { model, takes: traitsOf(model) })
  return { body: bodyOf(light, way, { body, headers: asked.headers }, asked.stream), losses }
}

/** The same events in another framing. */
class ReframedReader implements AnswerReader {
  private readonly framing: Framing
  private readonly asked: AnswerReader

  constructor(framing: Framing, asked: AnswerReader) {
    this.framing = framing
    this.asked = asked
  }

  openStream(): AnswerStream {
    return openReframedStream(openFrames(this.framing), this.asked.openStream())
  }

  readAnswer(body: Buffer, contentType: string): ReturnType<AnswerReader['readAnswer']> {
    return this.asked.readAnswer(body, contentType)
  }

  asEvents(body: Buffer): Uint8Array {
    return this.asked.asEvents(body)
  }
}
