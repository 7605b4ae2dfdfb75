import type { Refusal } from '@sluice/contract/errors'
import { type BodyRefusal, isBodyRefusal } from '@sluice/dialects/body-refusal'
import type { PathFacts } from '@sluice/dialects/canon/codec'
import {
  type NamingRequest,
  readBatchEmbedContents,
  readEmbedContent,
  renameModels,
  strayModel,
} from '@sluice/dialects/gemini/named-models'
import { readGeminiReply } from '@sluice/dialects/gemini/reply'
import { geminiVoice } from '@sluice/dialects/gemini/voice'
import { readModel } from '@sluice/dialects/request-fields'
import type { Splice } from '@sluice/dialects/splice/splice'
import type { TokenCounts } from '@sluice/dialects/token-counts'
import { type Asked, type CallEdits, JSON_CALL, namingObjects, plainCounts, type UsageBound } from './asked.ts'
import { promptBound } from './call-bounds.ts'

/** `models/{model}:embedContent` */
export function readGeminiEmbedding(body: Buffer, _: string | undefined, facts: PathFacts): Asked | BodyRefusal {
  return embedding('embedContent', facts, body, readEmbedContent(body))
}

/** `models/{model}:batchEmbedContents` */
export function readGeminiEmbeddings(body: Buffer, _: string | undefined, facts: PathFacts): Asked | BodyRefusal {
  return embedding('batchEmbedContents', facts, body, readBatchEmbedContents(body))
}

function embedding(
  action: string,
  facts: PathFacts,
  body: Buffer,
  request: NamingRequest | BodyRefusal,
): Asked | BodyRefusal {
  const model = readModel(facts.model ?? null)
  if (typeof model !== 'string') return model
  if (isBodyRefusal(request)) return request
  return strayModel(body, request, model) ?? new EmbeddingCall(action, model, request)
}

/** Offered where the provider speaks Gemini's dialect; others are asked by `/v1/embeddings`. */
class EmbeddingCall implements Asked {
  readonly path: string
  readonly voice = geminiVoice
  readonly conversation = undefined
  readonly hasText = false
  readonly stream = false
  readonly headers = JSON_CALL
  readonly model: string
  readonly promptBytes: number
  readonly kept: Asked['kept']
  private readonly request: NamingRequest

  constructor(action: string, model: string, request: NamingRequest) {
    this.path = `/v1beta/models/${model}:${action}`
    this.model = model
    this.request = request
    this.promptBytes = request.promptBytes
    this.kept = namingObjects(request.references)
  }

  bound(): UsageBound {
    // Every content may fill the window by itself, so the window caps nothing here.
    return { counts: plainCounts(promptBound(this.request, undefined), 0), open: false }
  }

  edits(_: Buffer, { model }: CallEdits): readonly Splice[] | Refusal {
    return model === this.model ? [] : renameModels(this.request, model)
  }

  openStream(): never {
    throw new Error('this call has no stream')
  }

  readAnswer(body: Buffer) {
    const reply = readGeminiReply(body)
    return 'invalid' in reply ? reply : { ...reply, delivered: undefined }
  }

  asEvents(body: Buffer): Uint8Array {
    return body
  }

  ownCounts({ prompt }: { readonly prompt: number }): TokenCounts {
    return plainCounts(prompt, 0)
  }
}
