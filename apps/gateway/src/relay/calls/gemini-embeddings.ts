import type { Refusal } from '@sluice/contract/errors'
import { type BodyRefusal, isBodyRefusal } from '@sluice/dialects/body-refusal'
import type { PathFacts } from '@sluice/dialects/canon/codec'
import { geminiFormat } from '@sluice/dialects/gemini/client-format'
import {
  type NamingRequest,
  readBatchEmbedContents,
  readEmbedContent,
  renameModels,
  strayModel,
} from '@sluice/dialects/gemini/named-models'
import { readGeminiReply } from '@sluice/dialects/gemini/reply'
import { readModel } from '@sluice/dialects/request-fields'
import type { Splice } from '@sluice/dialects/splice/splice'
import type { TokenCounts } from '@sluice/dialects/token-counts'
import { geminiEnd } from '@sluice/dialects/usage/counted-usage'
import { BodyCall } from './body-call.ts'
import { promptBound } from './call-bounds.ts'
import { type ParsedCall, type CallEdits, namingObjects, plainCounts, type UsageBound } from './parsed-call.ts'

/** `models/{model}:embedContent` */
export function readGeminiEmbedding(body: Buffer, _: string | undefined, facts: PathFacts): ParsedCall | BodyRefusal {
  return embedding('embedContent', facts, body, readEmbedContent(body))
}

/** `models/{model}:batchEmbedContents` */
export function readGeminiEmbeddings(body: Buffer, _: string | undefined, facts: PathFacts): ParsedCall | BodyRefusal {
  return embedding('batchEmbedContents', facts, body, readBatchEmbedContents(body))
}

function embedding(
  action: string,
  facts: PathFacts,
  body: Buffer,
  request: NamingRequest | BodyRefusal,
): ParsedCall | BodyRefusal {
  const model = readModel(facts.model ?? null)
  if (typeof model !== 'string') return model
  if (isBodyRefusal(request)) return request
  return strayModel(body, request, model) ?? new EmbeddingCall(action, model, request)
}

/** Offered where the provider speaks Gemini's dialect; other providers are called at `/v1/embeddings`. */
class EmbeddingCall extends BodyCall<NamingRequest & { readonly model: string }> implements ParsedCall {
  readonly path: string
  readonly format = geminiFormat
  readonly conversation = undefined
  readonly hasText = false
  readonly storage: ParsedCall['storage']
  readonly withUsage = geminiEnd

  constructor(action: string, model: string, request: NamingRequest) {
    super({ ...request, model })
    this.path = `/v1beta/models/${model}:${action}`
    this.storage = namingObjects(request.references)
  }

  bound(): UsageBound {
    // Every content can fill the window, so the window caps nothing here.
    return { counts: plainCounts(promptBound(this.request, undefined), 0), open: false }
  }

  edits(_: Buffer, { model }: CallEdits): readonly Splice[] | Refusal {
    return model === this.model ? [] : renameModels(this.request, model)
  }

  readAnswer(body: Buffer) {
    const reply = readGeminiReply(body)
    return 'invalid' in reply ? reply : { ...reply, delivered: undefined }
  }

  override ownCounts({ prompt }: { readonly prompt: number }): TokenCounts {
    return plainCounts(prompt, 0)
  }
}
