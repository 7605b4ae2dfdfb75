import { isRefusal, type Refusal } from '@sluice/contract/errors'
import { isBodyRefusal } from '@sluice/dialects/body-refusal'
import { requestedTools } from '@sluice/dialects/requested-tools'
import type { Adapter } from '@sluice/providers/adapters/adapter'
import { barredTool } from '@sluice/providers/channel-fields/tooling'
import type { ParsedCall } from '../../calls/parsed-call.ts'
import { RESPONSES_PATH } from '../../calls/responses.ts'
import type { Route } from '../../stages/route.ts'
import type { Batch } from '../ask-in-batches.ts'
import type { CallRequest } from '../upstream-call.ts'
import { batchesOf, type PartialSource } from './batches.ts'
import { convert } from './convert.ts'
import { isRewritten, isSummarised, passOn } from './pass-on.ts'
import { translate } from './translate.ts'
import { inexpressible, type UpstreamBody, type Source } from './upstream-body.ts'

export interface Destination {
  readonly route: Route
  readonly upstreamModel: string
}

/**
 * The request for one candidate: part of stage 8 of twelve. It always starts from the client's body, so nothing of one channel (its
 * model name, its system prompt) reaches the next. Client headers are not forwarded, because the headers that the provider needs
 * are known.
 */
export function prepare(source: Source, destination: Destination): CallRequest | Refusal {
  const parts = batchesOf(source, destination.route.kind.code, destination.upstreamModel)
  if (parts === undefined) return prepareWhole(source, destination)
  return isRefusal(parts) ? parts : prepareBatches(parts, destination)
}

function prepareBatches(parts: readonly PartialSource[], destination: Destination): CallRequest | Refusal {
  const batches: Batch[] = []
  for (const { source, inputs } of parts) {
    const request = prepareWhole(source, destination)
    if (isRefusal(request)) return request
    batches.push({ request, inputs })
  }
  const [first] = batches
  if (first === undefined) throw new Error('a request without parts')
  return { ...first.request, batches }
}

function prepareWhole(source: Source, { route, upstreamModel }: Destination): CallRequest | Refusal {
  const { parsed } = source
  const offered = route.adapter(source.kind.endpoint, askedOf(source, route), upstreamModel)
  const adapter = offered && fittingAdapter(source, offered)
  if (adapter === undefined) return { code: 'endpoint_not_served', params: { model: parsed.model, path: parsed.path } }
  if (parsed.storage?.isThreaded === true && !holdsThreads(source, route, adapter))
    return { code: 'thread_unsupported_request' }
  const barred = barredIn(source, route)
  if (barred !== undefined) return barred
  const upstreamBody = render(source, { route, adapter, model: upstreamModel })
  if (isRefusal(upstreamBody)) return upstreamBody
  const { origin, path } = adapter.address(upstreamBody.stream)
  const headers = [...route.headers, ...(adapter.headers ?? []), ...upstreamBody.headers]
  const losses = [...(parsed.storage?.lost ?? []), ...upstreamBody.losses]
  const { kind, credentials } = route
  return { method: 'POST', origin, path, ...upstreamBody, headers, losses, credentials, kind }
}

/** For a provider that cannot compact conversations, requests an answer with a summary. */
function askedOf(source: Source, { kind }: Route): Pick<ParsedCall, 'path' | 'conversation'> {
  const { conversation } = source.parsed
  return isSummarised(source, kind) ? { path: RESPONSES_PATH, conversation } : source.parsed
}

/** A provider can refuse in one dialect what it accepts in another. Unreadable input is left for the provider to refuse. */
function fittingAdapter({ body, conversation }: Source, adapter: Adapter): Adapter {
  const { instead } = adapter
  if (instead === undefined || !MARKS.some((mark) => body.includes(mark))) return adapter
  const request = conversation()
  return !isBodyRefusal(request) && instead.isNeeded(request) ? instead.adapter : adapter
}

/** Texts in a body of any client dialect that request functions or the highest effort. */
const MARKS = ['tools"', 'functions"', '"max"', 'budget', 'Budget'] as const

/** All other providers ignore the field, and would receive only the new messages. */
function holdsThreads(source: Source, { kind }: Route, { form }: Adapter): boolean {
  return kind.holdsThreads === true && form.kind === 'pass' && !isRewritten(source)
}

/** Another channel may allow what this one does not. */
function barredIn({ parsed, light }: Source, { tooling }: Route): Refusal | undefined {
  if (tooling === undefined || parsed.conversation === undefined) return undefined
  const tool = barredTool(tooling, requestedTools(light().json))
  return (
    tool &&
    inexpressible({
      field: tool.field,
      rule: `requests ${tool.name.slice(0, NAME_SHOWN)}, which this channel does not allow`,
    })
  )
}

const NAME_SHOWN = 100

function render(source: Source, target: Parameters<typeof passOn>[1]): UpstreamBody | Refusal {
  switch (target.adapter.form.kind) {
    case 'pass':
      return passOn(source, target)
    case 'translate':
      return translate(source, target, target.adapter.form.codec)
    case 'convert':
      return convert(source, target, target.adapter.form.translation)
  }
}
