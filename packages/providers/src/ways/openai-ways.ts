import type { ChatDialect } from '@sluice/dialects/canon/parts'
import { dashscopeRerank } from '@sluice/dialects/dashscope/rerank-call'
import type { ChannelSetup, SetupProblem } from '../channel-setup.ts'
import { offeredEndpoints } from '../endpoints.ts'
import type { ChannelKind } from '../kinds.ts'
import { addressAt, type BaseUrl, openAiAddress, readBaseUrl, rootAddress, rootOf, withoutVersion } from './base-url.ts'
import { type ChannelWays, conversationWay, convertedWay, type Face, type WayCall } from './faces.ts'
import { isResponsesOnly } from './responses-only.ts'
import { bodyHabit } from './vendor-models.ts'
import type { UpstreamAddress, Way } from './way.ts'

const OPENROUTER = 20
const CLOUDFLARE = 37
const ARK = 40
const DASHSCOPE: readonly number[] = [17, 49]
const SPARK: readonly number[] = [18, 48]
/** What they speak is a setting. */
const COMPATIBLE: readonly number[] = [8, 50]
const REALTIME_PATH = '/v1/realtime'

/** Where a call of OpenAI's shape goes. */
type Place = (path: string, model: string) => UpstreamAddress
/** A dialect and where its paths begin, counted from the root; '' is beside the main one. */
type Spoken = readonly (readonly [ChatDialect, string])[]

/** Ways of the kinds whose main dialect is OpenAI's chat. */
export function openAiWays(setup: ChannelSetup): ChannelWays | SetupProblem {
  const { kind, baseUrl } = setup
  const base = readBaseUrl(baseUrl, kind.address.defaultBaseUrl)
  if ('problem' in base) return base
  const place = placeOf(setup, base)
  if ('problem' in place) return place
  const spoken = spokenBy(setup)
  const faces = (model: string): readonly Face[] =>
    inOrder(spoken, kind, model).map(([dialect, root]) => ({
      dialect,
      framing: 'sse',
      ...mannersOf(setup, dialect, model),
      address: (path) => (root === '' ? place(path, model) : rootAddress(base, root + path)),
    }))
  const offered = offeredEndpoints(kind.code)
  return {
    way: (call, model) => {
      const { endpoint, dialect } = call
      // Older text completions are a call of their own where the provider has it, else a conversation.
      const isTold = dialect !== undefined && !(endpoint === 'completions' && offered.has(endpoint))
      if (isTold) return conversationWay(faces(model), call)
      return offered.has(endpoint) ? callWay(kind, base, place, call, model) : undefined
    },
  }
}

function spokenBy({ kind, config }: ChannelSetup): Spoken {
  if (!COMPATIBLE.includes(kind.code)) return [['openai-chat', ''], ...(Object.entries(kind.also ?? {}) as Spoken)]
  return [[config['api_format'] === 'response' ? 'openai-responses' : 'openai-chat', '']]
}

/** The dialect for clients of third ones comes first. */
function inOrder(spoken: Spoken, { prefers }: ChannelKind, model: string): Spoken {
  const hasResponses = spoken.some(([dialect]) => dialect === 'openai-responses')
  if (hasResponses && isResponsesOnly(model)) return spoken.filter(([dialect]) => dialect !== 'openai-chat')
  return spoken.toSorted(([a], [b]) => Number(b === prefers) - Number(a === prefers))
}

function mannersOf(
  setup: ChannelSetup,
  dialect: ChatDialect,
  model: string,
): Pick<Face, 'quirks' | 'adapt' | 'headers'> {
  const { kind } = setup
  const adapt = dialect === 'openai-chat' ? bodyHabit(setup, model) : undefined
  return {
    quirks: dialect === 'openai-chat' ? kind.quirks : [],
    ...(adapt === undefined ? {} : { adapt }),
    // OpenRouter lists who calls it.
    ...(kind.code === OPENROUTER ? { headers: ['x-title', 'Sluice'] } : {}),
  }
}

/** Calls that are no conversation keep OpenAI's shape, but for DashScope's rerankers. */
function callWay(kind: ChannelKind, base: BaseUrl, place: Place, call: WayCall, model: string): Way | undefined {
  if (call.endpoint === 'rerank' && DASHSCOPE.includes(kind.code)) {
    const ranking = rootAddress(base, '/api/v1/services/rerank/text-rerank/text-rerank')
    return convertedWay(dashscopeRerank, { framing: 'sse', quirks: [], address: () => ranking })
  }
  const elsewhere = kind.elsewhere?.[call.endpoint]
  const { origin, path } = elsewhere === undefined ? place(call.path, model) : rootAddress(base, elsewhere)
  const query = call.path === REALTIME_PATH ? `${path.includes('?') ? '&' : '?'}model=${encodeURIComponent(model)}` : ''
  const address = { origin, path: path + query }
  return { address: () => address, form: { kind: 'pass' }, framing: 'sse', quirks: [] }
}

function placeOf({ kind, config }: ChannelSetup, base: BaseUrl): Place | SetupProblem {
  const { prefix = '/v1' } = kind.address
  if (kind.code === CLOUDFLARE) return cloudflarePlace(base, config['user_id'])
  // Agents of Ark stand beside its models.
  if (kind.code === ARK)
    return (path, model) =>
      openAiAddress(base, prefix, model.startsWith('bot-') ? `/bots${withoutVersion(path)}` : path)
  if (SPARK.includes(kind.code)) {
    const room = { ...base, path: rootOf(base) }
    return (path, model) => openAiAddress(room, /^(?:spark-)?x\d/i.test(model) ? '/v2' : '/v1', path)
  }
  return (path) => openAiAddress(base, prefix, path)
}

/** Workers AI keeps the account in its path, an AI gateway in its base. */
function cloudflarePlace(base: BaseUrl, account: unknown): Place | SetupProblem {
  if (base.path.endsWith('/workers-ai')) return (path) => addressAt(base, base.path + path)
  const room = base.path.replace(/(?:\/ai)?(?:\/v1)?$/, '')
  if (room.includes('/accounts/')) return (path) => addressAt(base, `${room}/ai${path}`)
  if (typeof account !== 'string' || !/^[\w-]{1,64}$/.test(account)) {
    return { problem: 'config.user_id is required: the id of the Cloudflare account' }
  }
  return (path) => addressAt(base, `${base.path.replace(/\/client\/v4$/, '')}/client/v4/accounts/${account}/ai${path}`)
}
