import { bedrockBody, vertexBody } from '@sluice/dialects/anthropic/carriers'
import type { Face } from './faces.ts'
import type { UpstreamAddress } from './way.ts'

/** Claude inside of Bedrock's InvokeModel, whose path names the model and says whether to stream. */
export function claudeOnBedrock(address: (stream: boolean) => UpstreamAddress): Face {
  return {
    dialect: 'anthropic-messages',
    framing: 'aws-event-stream',
    quirks: [],
    address: conversationOnly(address),
    adapt: bedrockBody,
  }
}

/** Claude inside of Vertex AI's rawPredict, whose path names the model; `stream` stays in the body. */
export function claudeOnVertex(address: (stream: boolean) => UpstreamAddress): Face {
  return {
    dialect: 'anthropic-messages',
    framing: 'sse',
    quirks: [],
    address: conversationOnly(address),
    adapt: vertexBody,
  }
}

/** Carriers know the conversation itself, not the calls beside it. */
function conversationOnly(address: (stream: boolean) => UpstreamAddress): Face['address'] {
  return (path, stream) => (path === '/v1/messages' ? address(stream) : undefined)
}
