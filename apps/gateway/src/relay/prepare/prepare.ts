import type { Refusal } from '@sluice/contract/errors'
import { askedTools } from '@sluice/dialects/asked-tools'
import { barredTool } from '@sluice/providers/channel-fields/tooling'
import type { Way } from '@sluice/providers/ways/way'
import type { Route } from '../route.ts'
import type { CallRequest } from '../upstream-call.ts'
import { convert } from './convert.ts'
import { isToldAnew, passOn } from './pass-on.ts'
import { inexpressible, type Rendition, type Source } from './rendition.ts'
import { translate } from './translate.ts'

/** Whom the request goes to, and how. */
export interface Destination {
  readonly route: Route
  readonly upstreamModel: string
}

/**
 * The request for one candidate: step 6 of ten. It starts from what the client sent each time, so nothing of one channel (its
 * model name, its system prompt) reaches the next. Client headers are not forwarded; what the provider needs is known.
 */
export function prepare(source: Source, { route, upstreamModel }: Destination): CallRequest | Refusal {
  const { asked } = source
  const way = route.way(source.kind.endpoint, asked, upstreamModel)
  if (way === undefined) return { code: 'endpoint_not_served', params: { model: asked.model, path: asked.path } }
  if (asked.kept?.isThreaded === true && !holdsThreads(source, route, way))
    return { code: 'thread_unsupported_request' }
  const barred = barredIn(source, route)
  if (barred !== undefined) return barred
  const rendition = render(source, { route, way, model: upstreamModel })
  if ('code' in rendition) return rendition
  const { origin, path } = way.address(rendition.stream)
  const headers = [...route.headers, ...(way.headers ?? []), ...rendition.headers]
  const losses = [...(asked.kept?.lost ?? []), ...rendition.losses]
  return { method: 'POST', origin, path, ...rendition, headers, losses, credentials: route.credentials }
}

/** Everybody else leaves the field unread, and would hear the new messages alone. */
function holdsThreads(source: Source, { kind }: Route, { form }: Way): boolean {
  return kind.code === ANTHROPIC && form.kind === 'pass' && !isToldAnew(source)
}

const ANTHROPIC = 14

/** Another channel may allow what this one does not. */
function barredIn({ asked, light }: Source, { tooling }: Route): Refusal | undefined {
  if (tooling === undefined || asked.conversation === undefined) return undefined
  const tool = barredTool(tooling, askedTools(light().json))
  return (
    tool &&
    inexpressible({
      field: tool.field,
      rule: `asks for ${tool.name.slice(0, NAME_SHOWN)}, which this channel does not allow`,
    })
  )
}

const NAME_SHOWN = 100

function render(source: Source, towards: Parameters<typeof passOn>[1]): Rendition | Refusal {
  switch (towards.way.form.kind) {
    case 'pass':
      return passOn(source, towards)
    case 'translate':
      return translate(source, towards, towards.way.form.codec)
    case 'convert':
      return convert(source, towards, towards.way.form.translation)
  }
}
