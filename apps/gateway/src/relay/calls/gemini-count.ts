import type { Refusal } from '@sluice/contract/errors'
import { type BodyRefusal, isBodyRefusal } from '@sluice/dialects/body-refusal'
import type { PathFacts } from '@sluice/dialects/canon/codec'
import { geminiFormat } from '@sluice/dialects/gemini/client-format'
import { geminiClientCodec } from '@sluice/dialects/gemini/codec'
import { type NamingRequest, readCountTokens, renameModels } from '@sluice/dialects/gemini/named-models'
import { readGeminiReply } from '@sluice/dialects/gemini/reply'
import { readModel } from '@sluice/dialects/request-fields'
import type { Splice } from '@sluice/dialects/splice/splice'
import type { TokenCounts } from '@sluice/dialects/token-counts'
import { BodyCall } from './body-call.ts'
import type { CountKind } from './count-tokens.ts'
import {
  type ParsedCall,
  type CallEdits,
  type Conversation,
  namingObjects,
  plainCounts,
  type UsageBound,
} from './parsed-call.ts'

/** `models/{model}:countTokens` */
export const GEMINI_COUNT: CountKind = {
  path: '/v1beta/models/{model}:countTokens',
  endpoint: 'chat_completions',
  body: 'json',
  read: readCount,
  tell: (tokens) => ({ totalTokens: tokens }),
}

function readCount(body: Buffer, _: string | undefined, facts: PathFacts): ParsedCall | BodyRefusal {
  const model = readModel(facts.model ?? null)
  if (typeof model !== 'string') return model
  const request = readCountTokens(body)
  return isBodyRefusal(request) ? request : new CountCall(model, request)
}

class CountCall extends BodyCall<NamingRequest & { readonly model: string }> implements ParsedCall {
  readonly path: string
  readonly format = geminiFormat
  readonly conversation: Conversation
  readonly hasText = false
  readonly storage: ParsedCall['storage']

  constructor(model: string, request: NamingRequest) {
    super({ ...request, model })
    this.path = `/v1beta/models/${model}:countTokens`
    this.conversation = { dialect: 'gemini', codec: geminiClientCodec('sse'), facts: { model }, wantsUsage: false }
    this.storage = namingObjects(request.references)
  }

  bound(): UsageBound {
    return { counts: plainCounts(0, 0), open: false }
  }

  edits(_: Buffer, { model }: CallEdits): readonly Splice[] | Refusal {
    return model === this.model ? [] : renameModels(this.request, model)
  }

  readAnswer(body: Buffer) {
    const reply = readGeminiReply(body)
    return 'invalid' in reply ? reply : { usage: undefined, error: reply.error, delivered: undefined }
  }

  override ownCounts(): TokenCounts {
    return plainCounts(0, 0)
  }
}
