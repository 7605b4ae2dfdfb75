import { expect } from 'vitest'
import { isBodyRefusal } from '../src/body-refusal.ts'
import { isInexpressible, type Target, type UpstreamCodec } from '../src/canon/codec.ts'
import type { Loss } from '../src/canon/losses.ts'
import type { CanonRequest } from '../src/canon/request.ts'
import type { ClientDialect } from './client-dialects.ts'
import { type Facet, facets, plain } from './facets.ts'
import { freeze } from './freeze.ts'
import { isTranslated } from './loss-names.ts'
import { Haystack, needlesOf } from './needles.ts'

/** DeepL's models are languages; other providers accept any name. */
export const TARGET: Target = { model: 'deepl-en', stream: false, takes: {}, defaultMaxTokens: 4_096 }

/** Everything in a request arrives, is listed as lost, or is refused under its field's name. */
export function nothingIsLostInSilence(codec: UpstreamCodec, request: CanonRequest): void {
  const encoded = codec.encodeRequest(request, TARGET)
  if (isInexpressible(encoded)) {
    expect(encoded.field).toMatch(/^[\w.[\]]+$/)
    return
  }
  const body = new Haystack(encoded.body)
  const silent = needlesOf(request).filter(
    (needle) => !body.holds(needle) && !isTranslated(needle.facet, encoded.losses),
  )
  expect(silent).toStrictEqual([])
}

/** Everything that the dialect can express survives the round trip without losses. */
export function requestComesBack(spoken: ClientDialect, canonRequest: CanonRequest): void {
  // Clients of the provider's own dialect are trusted: other dialects' limits do not apply to them.
  const request = { ...canonRequest, extra: { ...canonRequest.extra, dialect: spoken.client.dialect } }
  const back = through(spoken, request)
  if ('rule' in back) throw new Error(`${back.field} ${back.rule}`)
  expect(silentLosses(request, back.request, [], spoken)).toStrictEqual([])
  expect(back.losses).toStrictEqual([])
}

export function nothingIsAdded(spoken: ClientDialect, request: CanonRequest): void {
  const back = through(spoken, request)
  if ('rule' in back) throw new Error(`${back.field} ${back.rule}`)
  const requested = [...facets(back.request)].filter(([, value]) => plain(value) !== undefined).map(([facet]) => facet)
  const allowed: readonly Facet[] = ['conversation', 'max_tokens']
  expect(requested.filter((facet) => !allowed.includes(facet))).toStrictEqual([])
}

/** Every change is listed as a loss, or the request is refused. */
export function crossingIsReported(from: ClientDialect, to: ClientDialect, request: CanonRequest): void {
  const first = through(from, request)
  if ('rule' in first) return
  const second = through(to, first.request)
  if ('rule' in second) return
  expect(silentLosses(first.request, second.request, second.losses, to)).toStrictEqual([])
}

/** The request as a client of the dialect would have sent it, with the losses of the conversion. */
function through({ client, upstream, takes }: ClientDialect, request: CanonRequest) {
  const target: Target = { model: request.model, stream: request.stream, takes, defaultMaxTokens: 4_096 }
  const encoded = upstream.encodeRequest(request, target)
  if (isInexpressible(encoded)) return encoded
  const back = client.decodeRequest(freeze(encoded.body), { model: request.model, stream: request.stream })
  if (isBodyRefusal(back)) throw new Error(`refused its own body: ${JSON.stringify(back.params)}`)
  return { request: freeze(back), losses: encoded.losses }
}

/** Differences that are missing from the losses. */
function silentLosses(
  before: CanonRequest,
  after: CanonRequest,
  losses: readonly Loss[],
  { unsaid }: ClientDialect,
): readonly unknown[] {
  const [said, heard] = [facets(before), facets(after)]
  return [...said].flatMap(([facet, value]) => {
    const [a, b] = [plain(value), plain(heard.get(facet))]
    return a === undefined ||
      unsaid.has(facet) ||
      JSON.stringify(a) === JSON.stringify(b) ||
      isTranslated(facet, losses)
      ? []
      : [{ facet, said: a, heard: b }]
  })
}
