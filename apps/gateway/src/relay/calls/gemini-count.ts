import type { Refusal } from '@sluice/contract/errors'
import { type BodyRefusal, isBodyRefusal } from '@sluice/dialects/body-refusal'
import type { PathFacts } from '@sluice/dialects/canon/codec'
import { geminiClientCodec } from '@sluice/dialects/gemini/codec'
import { type NamingRequest, readCountTokens, renameModels } from '@sluice/dialects/gemini/named-models'
import { readGeminiReply } from '@sluice/dialects/gemini/reply'
import { geminiVoice } from '@sluice/dialects/gemini/voice'
import { readModel } from '@sluice/dialects/request-fields'
import type { Splice } from '@sluice/dialects/splice/splice'
import type { TokenCounts } from '@sluice/dialects/token-counts'
import {
  type Asked,
  type CallEdits,
  type Conversation,
  JSON_CALL,
  namingObjects,
  plainCounts,
  type UsageBound,
} from './asked.ts'
import type { CountKind } from './count-tokens.ts'

/** `models/{model}:countTokens` */
export const GEMINI_COUNT: CountKind = {
  path: '/v1beta/models/{model}:countTokens',
  endpoint: 'chat_completions',
  body: 'json',
  read: readCount,
  tell: (tokens) => ({ totalTokens: tokens }),
}

function readCount(body: Buffer, _: string | undefined, facts: PathFacts): Asked | BodyRefusal {
  const model = readModel(facts.model ?? null)
  if (typeof model !== 'string') return model
  const request = readCountTokens(body)
  return isBodyRefusal(request) ? request : new CountCall(model, request)
}

class CountCall implements Asked {
  readonly path: string
  readonly voice = geminiVoice
  readonly conversation: Conversation
  readonly hasText = false
  readonly stream = false
  readonly headers = JSON_CALL
  readonly model: string
  readonly promptBytes: number
  readonly kept: Asked['kept']
  private readonly request: NamingRequest

  constructor(model: string, request: NamingRequest) {
    this.path = `/v1beta/models/${model}:countTokens`
    this.conversation = { dialect: 'gemini', codec: geminiClientCodec('sse'), facts: { model }, usageAsked: false }
    this.model = model
    this.request = request
    this.promptBytes = request.promptBytes
    this.kept = namingObjects(request.references)
  }

  bound(): UsageBound {
    return { counts: plainCounts(0, 0), open: false }
  }

  edits(_: Buffer, { model }: CallEdits): readonly Splice[] | Refusal {
    return model === this.model ? [] : renameModels(this.request, model)
  }

  openStream(): never {
    throw new Error('this call has no stream')
  }

  readAnswer(body: Buffer) {
    const reply = readGeminiReply(body)
    return 'invalid' in reply ? reply : { usage: undefined, error: reply.error, delivered: undefined }
  }

  asEvents(body: Buffer): Uint8Array {
    return body
  }

  ownCounts(): TokenCounts {
    return plainCounts(0, 0)
  }
}
