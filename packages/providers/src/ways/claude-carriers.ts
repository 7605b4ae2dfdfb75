import type { JsonObject } from '@sluice/dialects/json-value'
import type { Face } from './faces.ts'
import type { UpstreamAddress } from './way.ts'

/** Claude inside of Bedrock's InvokeModel, whose path names the model and says whether to stream. */
export function claudeOnBedrock(address: (stream: boolean) => UpstreamAddress): Face {
  return {
    dialect: 'anthropic-messages',
    framing: 'aws-event-stream',
    quirks: [],
    address: conversationOnly(address),
    adapt: (body) => {
      const { model: _, stream: __, ...rest } = body
      return { anthropic_version: 'bedrock-2023-05-31', ...rest }
    },
  }
}

/** Claude inside of Vertex AI's rawPredict, whose path names the model; `stream` stays in the body. */
export function claudeOnVertex(address: (stream: boolean) => UpstreamAddress): Face {
  return {
    dialect: 'anthropic-messages',
    framing: 'sse',
    quirks: [],
    address: conversationOnly(address),
    adapt: (body: JsonObject) => {
      const { model: _, ...rest } = body
      return { anthropic_version: 'vertex-2023-10-16', ...rest }
    },
  }
}

/** Carriers know the conversation itself, not the calls beside it. */
function conversationOnly(address: (stream: boolean) => UpstreamAddress): Face['address'] {
  return (path, stream) => (path === '/v1/messages' ? address(stream) : undefined)
}
