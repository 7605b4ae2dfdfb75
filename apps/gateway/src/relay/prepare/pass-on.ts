import type { Refusal } from '@sluice/contract/errors'
import { FOREIGN_PROOF } from '@sluice/dialects/canon/proof'
import { splice } from '@sluice/dialects/splice/splice'
import type { Rendition, Source, Towards } from './rendition.ts'
import { translate } from './translate.ts'

/**
 * The client's own bytes, but for the spans that must differ. Signatures of other providers cannot be passed on, so a
 * conversation that holds one is told anew.
 */
export function passOn(source: Source, towards: Towards): Rendition | Refusal {
  const { body, asked } = source
  const { way, route, model } = towards
  const { codec } = way.form.kind === 'pass' ? way.form : {}
  if (codec !== undefined && asked.conversation !== undefined && body.includes(FOREIGN_PROOF)) {
    return translate(source, towards, codec)
  }
  const splices = asked.edits(body, {
    model,
    askUsage: !way.quirks.includes('no-stream-options'),
    systemPrompt: route.channel.systemPrompt,
  })
  if ('code' in splices) return splices
  return {
    body: splices.length === 0 ? body : Buffer.concat(splice(body, splices)),
    headers: asked.headers,
    stream: asked.stream,
    reader: asked,
    losses: [],
  }
}
