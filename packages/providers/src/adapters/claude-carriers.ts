import { bedrockBody, vertexBody } from '@sluice/dialects/anthropic/carriers'
import type { UpstreamAddress } from './adapter.ts'
import type { DialectEndpoint } from './dialect-endpoints.ts'

/** Bedrock's InvokeModel: the path names the model and says whether to stream. */
export function claudeOnBedrock(address: (stream: boolean) => UpstreamAddress): DialectEndpoint {
  return {
    dialect: 'anthropic-messages',
    framing: 'aws-event-stream',
    quirks: [],
    address: conversationOnly(address),
    adapt: bedrockBody,
  }
}

/** Vertex AI's rawPredict: the path names the model; `stream` stays in the body. */
export function claudeOnVertex(address: (stream: boolean) => UpstreamAddress): DialectEndpoint {
  return {
    dialect: 'anthropic-messages',
    framing: 'sse',
    quirks: [],
    address: conversationOnly(address),
    adapt: vertexBody,
  }
}

/** Carriers offer only the conversation, not the calls next to it. */
function conversationOnly(address: (stream: boolean) => UpstreamAddress): DialectEndpoint['address'] {
  return (path, stream) => (path === '/v1/messages' ? address(stream) : undefined)
}
