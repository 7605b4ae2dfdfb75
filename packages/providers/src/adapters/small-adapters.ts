import type { CallTranslation } from '@sluice/dialects/canon/codec'
import type { ChatDialect } from '@sluice/dialects/canon/parts'
import type { JsonObject } from '@sluice/dialects/json-value'
import { replicateImages } from '@sluice/dialects/vendors/replicate-images'
import { textOf } from '../channel-fields/json-object.ts'
import type { ChannelSetup, SetupProblem } from '../channel-setup.ts'
import { addressAt, type BaseUrl, readBaseUrl } from './base-url.ts'
import {
  type ChannelAdapters,
  conversationAdapter,
  convertedAdapter,
  type DialectEndpoint,
} from './dialect-endpoints.ts'

/** For vendors whose models offer one call each. */
type Room = (setup: ChannelSetup, base: BaseUrl) => (model: string) => Pick<DialectEndpoint, 'address' | 'adapt'>

const DEEPL_FREE = 'https://api-free.deepl.com'
const DEEPL_PRO = 'https://api.deepl.com'

/** Keys of the free service end in `:fx`; a key is only valid at its own host. */
export function deeplAdapters(setup: ChannelSetup): ChannelAdapters | SetupProblem {
  const given = setup.baseUrl.trim().replace(/(?<!\/)\/+$/, '')
  const isVendor = given === '' || given === DEEPL_FREE || given === DEEPL_PRO
  const host = setup.key.trim().endsWith(':fx') ? DEEPL_FREE : DEEPL_PRO
  return oneCall('deepl', { ...setup, baseUrl: isVendor ? host : given }, {}, (_, base) => {
    const address = addressAt(base, `${base.path}/v2/translate`)
    return () => ({ address: () => address })
  })
}

/** Coze calls bots in the name of a user. They always stream, which their dialect states in the body. */
export function cozeAdapters(setup: ChannelSetup): ChannelAdapters | SetupProblem {
  return oneCall('coze', setup, {}, ({ config }, base) => {
    const address = addressAt(base, `${base.path}/v3/chat`)
    const user = textOf(config['user_id']) || '1'
    return () => ({ address: () => address, adapt: (body) => ({ ...body, user_id: user }) })
  })
}

/** The channel names the AI Proxy library to call. */
export function libraryAdapters(setup: ChannelSetup): ChannelAdapters | SetupProblem {
  return oneCall('library-ask', setup, {}, ({ config, other }, base) => {
    const address = addressAt(base, `${base.path}/api/library/ask`)
    const library = textOf(config['library_id']) || other.trim()
    return () => ({ address: () => address, adapt: (body) => ({ ...body, libraryId: library }) })
  })
}

/** Replicate's models are named `owner/name`, or `owner/name:version`, which has a different address. */
export function replicateAdapters(setup: ChannelSetup): ChannelAdapters | SetupProblem {
  const translations = { images_generations: replicateImages }
  return oneCall('replicate', setup, translations, (_, base) => (model) => {
    const [name = '', version] = model.split(':')
    const segments = name.split('/').map(encodeURIComponent).join('/')
    if (version === undefined) return { address: () => addressAt(base, `${base.path}/${segments}/predictions`) }
    const room = base.path.replace(/\/models$/, '')
    const adapt = (body: JsonObject) => ({ version, ...body })
    return { address: () => addressAt(base, `${room}/predictions`), adapt }
  })
}

const WENXIN = 'https://aip.baidubce.com'
/** Paths of Wenxin models that differ from the lower-case model name. */
const WENXIN_ROOMS: Readonly<Record<string, string>> = {
  'ernie-4.0': 'completions_pro',
  'ernie-4.0-8k': 'completions_pro',
  'ernie-3.5': 'completions',
  'ernie-3.5-8k': 'completions',
  'ernie-bot': 'completions',
  'ernie-bot-4': 'completions_pro',
  'ernie-bot-turbo': 'eb-instant',
  'ernie-lite': 'eb-instant',
  'ernie-lite-8k': 'ernie-lite-8k',
  'ernie-speed': 'ernie_speed',
  'ernie-speed-8k': 'ernie_speed',
}

/** Wenxin's older interface, for two-part keys. Qianfan's address does not serve it. */
export function wenxinAdapters(setup: ChannelSetup): ChannelAdapters | SetupProblem {
  const isQianfan = URL.parse(setup.baseUrl.trim())?.hostname === 'qianfan.baidubce.com'
  const own = setup.baseUrl.trim() === '' || isQianfan ? WENXIN : setup.baseUrl
  return oneCall('wenxin', { ...setup, baseUrl: own }, {}, (_, base) => (model) => {
    const name = model.toLowerCase()
    const room = encodeURIComponent(WENXIN_ROOMS[name] ?? name)
    const address = addressAt(base, `${base.path}/rpc/2.0/ai_custom/v1/wenxinworkshop/chat/${room}`)
    return { address: () => address }
  })
}

/** Channels that forward anything have a path of their own, without a model. */
export function rawAdapters({ baseUrl }: ChannelSetup): ChannelAdapters | SetupProblem {
  const base = readBaseUrl(baseUrl, '')
  return 'problem' in base ? base : { adapter: () => undefined }
}

function oneCall(
  dialect: ChatDialect,
  setup: ChannelSetup,
  translations: Readonly<Record<string, CallTranslation>>,
  room: Room,
): ChannelAdapters | SetupProblem {
  const base = readBaseUrl(setup.baseUrl, setup.kind.address.defaultBaseUrl)
  if ('problem' in base) return base
  const endpointOf = room(setup, base)
  return {
    adapter: (call, model) => {
      const endpoint: DialectEndpoint = { dialect, framing: 'sse', quirks: [], ...endpointOf(model) }
      if (call.dialect !== undefined) return conversationAdapter([endpoint], call)
      const translation = translations[call.endpoint]
      return translation && convertedAdapter(translation, endpoint)
    },
  }
}
