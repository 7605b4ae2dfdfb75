import type { CallTranslation } from '@sluice/dialects/canon/codec'
import type { ChatDialect } from '@sluice/dialects/canon/parts'
import { codecOf } from './codecs.ts'
import type { UpstreamAddress, Way } from './way.ts'

/** A call as the client made it. */
export interface WayCall {
  /** Name of the endpoint: `chat_completions`, `embeddings`. */
  readonly endpoint: string
  /** Path that the client asked, version included. */
  readonly path: string
  /** What the client speaks, where the call is a conversation. */
  readonly dialect: ChatDialect | undefined
}

/** How the calls of one channel reach its models. Pure and without secrets. */
export interface ChannelWays {
  /** Undefined when this call cannot be made of the model. `model` is the provider's name of it. */
  way(call: WayCall, model: string): Way | undefined
}

/** One dialect in which a provider speaks of a model, and where. */
export interface Face extends Omit<Way, 'form' | 'address'> {
  readonly dialect: ChatDialect
  /**
   * Where a call goes: the conversation itself or one beside it, such as `/v1/messages/count_tokens`. Undefined when that is
   * not to be had here.
   */
  readonly address: (path: string, stream: boolean) => UpstreamAddress | undefined
}

/** Where conversations begin in the dialects that put nothing else into the path. */
const OWN_PATHS: Readonly<Partial<Record<ChatDialect, string>>> = {
  'openai-chat': '/v1/chat/completions',
  'openai-responses': '/v1/responses',
  'anthropic-messages': '/v1/messages',
}
/** Older text completions are told as chat, so they cannot be passed to it. */
const TEXT_COMPLETIONS = '/v1/completions'
const GENERATE = /:(?:generateContent|streamGenerateContent)$/

/** The way of a conversation: passed on where the provider speaks the client's dialect, else translated to its first face. */
export function conversationWay(faces: readonly Face[], { path, dialect }: WayCall): Way | undefined {
  const own = path === TEXT_COMPLETIONS ? undefined : faces.find((face) => face.dialect === dialect)
  if (own !== undefined) {
    return wayTo(own, path, { kind: 'pass', codec: codecOf(own) })
  }
  const [first] = faces
  if (first === undefined || !isConversation(path)) return undefined
  return wayTo(first, OWN_PATHS[first.dialect] ?? '', { kind: 'translate', codec: codecOf(first) })
}

/** Whether the path is that of a conversation, not of a call about one (its tokens, a stored answer). */
export function isConversation(path: string): boolean {
  return path === TEXT_COMPLETIONS || GENERATE.test(path) || Object.values(OWN_PATHS).includes(path)
}

function wayTo(face: Omit<Face, 'dialect'>, path: string, form: Way['form']): Way | undefined {
  const [plain, streamed] = [face.address(path, false), face.address(path, true)]
  if (plain === undefined || streamed === undefined) return undefined
  return { ...face, form, address: (stream) => (stream ? streamed : plain) }
}

/** The way of a call of OpenAI's shape to a provider that has the same thing in another one. */
export function convertedWay(translation: CallTranslation, face: Omit<Face, 'dialect'>): Way | undefined {
  return wayTo(face, '', { kind: 'convert', translation })
}
