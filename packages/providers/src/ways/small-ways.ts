import type { CallTranslation } from '@sluice/dialects/canon/codec'
import type { ChatDialect } from '@sluice/dialects/canon/parts'
import type { JsonObject } from '@sluice/dialects/json-value'
import { replicateImages } from '@sluice/dialects/replicate/images'
import { textOf } from '../channel-fields/json-object.ts'
import type { ChannelSetup, SetupProblem } from '../channel-setup.ts'
import { addressAt, type BaseUrl, readBaseUrl } from './base-url.ts'
import { type ChannelWays, conversationWay, convertedWay, type Face } from './faces.ts'

/** Vendors at whom everything that a model does is one call. */
type Room = (setup: ChannelSetup, base: BaseUrl) => (model: string) => Pick<Face, 'address' | 'adapt'>

const DEEPL_FREE = 'https://api-free.deepl.com'
const DEEPL_PRO = 'https://api.deepl.com'

/** Keys of the free service end in `:fx`; each key is known to its own host only. */
export function deeplWays(setup: ChannelSetup): ChannelWays | SetupProblem {
  const given = setup.baseUrl.trim().replace(/(?<!\/)\/+$/, '')
  const isVendor = given === '' || given === DEEPL_FREE || given === DEEPL_PRO
  const host = setup.key.trim().endsWith(':fx') ? DEEPL_FREE : DEEPL_PRO
  return oneCall('deepl', { ...setup, baseUrl: isVendor ? host : given }, {}, (_, base) => {
    const address = addressAt(base, `${base.path}/v2/translate`)
    return () => ({ address: () => address })
  })
}

/** Bots of Coze are asked in the name of one user. They always stream, which their dialect says in the body. */
export function cozeWays(setup: ChannelSetup): ChannelWays | SetupProblem {
  return oneCall('coze', setup, {}, ({ config }, base) => {
    const address = addressAt(base, `${base.path}/v3/chat`)
    const user = textOf(config['user_id']) || '1'
    return () => ({ address: () => address, adapt: (body) => ({ ...body, user_id: user }) })
  })
}

/** AI Proxy's libraries: the channel names the one that is asked. */
export function libraryWays(setup: ChannelSetup): ChannelWays | SetupProblem {
  return oneCall('library-ask', setup, {}, ({ config, other }, base) => {
    const address = addressAt(base, `${base.path}/api/library/ask`)
    const library = textOf(config['library_id']) || other.trim()
    return () => ({ address: () => address, adapt: (body) => ({ ...body, libraryId: library }) })
  })
}

/** Models of Replicate are `owner/name`, or `owner/name:version`, which is asked elsewhere. */
export function replicateWays(setup: ChannelSetup): ChannelWays | SetupProblem {
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
/** Where Wenxin's models are, when not under their own name in small letters. */
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

/** Wenxin's older interface, which keys of two parts open. Qianfan's address is of no use to it. */
export function wenxinWays(setup: ChannelSetup): ChannelWays | SetupProblem {
  const isQianfan = URL.parse(setup.baseUrl.trim())?.hostname === 'qianfan.baidubce.com'
  const own = setup.baseUrl.trim() === '' || isQianfan ? WENXIN : setup.baseUrl
  return oneCall('wenxin', { ...setup, baseUrl: own }, {}, (_, base) => (model) => {
    const name = model.toLowerCase()
    const room = encodeURIComponent(WENXIN_ROOMS[name] ?? name)
    const address = addressAt(base, `${base.path}/rpc/2.0/ai_custom/v1/wenxinworkshop/chat/${room}`)
    return { address: () => address }
  })
}

/** Channels that pass anything on are asked through a path of their own, and for no model. */
export function rawWays({ baseUrl }: ChannelSetup): ChannelWays | SetupProblem {
  const base = readBaseUrl(baseUrl, '')
  return 'problem' in base ? base : { way: () => undefined }
}

function oneCall(
  dialect: ChatDialect,
  setup: ChannelSetup,
  translations: Readonly<Record<string, CallTranslation>>,
  room: Room,
): ChannelWays | SetupProblem {
  const base = readBaseUrl(setup.baseUrl, setup.kind.address.defaultBaseUrl)
  if ('problem' in base) return base
  const faceOf = room(setup, base)
  return {
    way: (call, model) => {
      const face: Face = { dialect, framing: 'sse', quirks: [], ...faceOf(model) }
      if (call.dialect !== undefined) return conversationWay([face], call)
      const translation = translations[call.endpoint]
      return translation && convertedWay(translation, face)
    },
  }
}
