import { bedrockEmbeddings, bedrockPictures, bedrockRerank } from '@sluice/dialects/bedrock-invoke/calls'
import type { CallTranslation } from '@sluice/dialects/canon/codec'
import { parseObject } from '../channel-fields/json-object.ts'
import type { ChannelSetup, SetupProblem } from '../channel-setup.ts'
import { readAwsKey } from '../credentials/aws-key.ts'
import { addressAt, readBaseUrl } from './base-url.ts'
import { claudeOnBedrock } from './claude-carriers.ts'
import {
  type ChannelAdapters,
  conversationAdapter,
  convertedAdapter,
  type DialectEndpoint,
} from './dialect-endpoints.ts'

/** Calls other than conversations, each with the models whose body format is known. */
const CALLS: Readonly<Record<string, readonly [CallTranslation, RegExp]>> = {
  embeddings: [bedrockEmbeddings, /titan-embed|cohere.*embed/],
  images_generations: [bedrockPictures, /titan-image|nova-canvas/],
  rerank: [bedrockRerank, /rerank/],
}

/** Bedrock's runtime: Claude with its own body through InvokeModel, all other models through Converse. */
export function bedrockAdapters({
  baseUrl,
  key,
  config,
  inferenceProfileArnMap,
}: ChannelSetup): ChannelAdapters | SetupProblem {
  const aws = readAwsKey(key, config)
  if ('problem' in aws) return aws
  const base = readBaseUrl(baseUrl, runtimeOf(aws.region))
  if ('problem' in base) return base
  const profiles = parseObject(inferenceProfileArnMap ?? '') ?? {}
  const at = (model: string, action: string) =>
    addressAt(base, `${base.path}/model/${pathId(profiles, model)}/${action}`)
  const endpointOf = (model: string): DialectEndpoint =>
    isClaude(model)
      ? claudeOnBedrock((stream) => at(model, stream ? 'invoke-with-response-stream' : 'invoke'))
      : {
          dialect: 'bedrock-converse',
          framing: 'aws-event-stream',
          quirks: [],
          address: (_, stream) => at(model, stream ? 'converse-stream' : 'converse'),
        }
  return {
    adapter: (call, model) => {
      if (call.dialect !== undefined) return conversationAdapter([endpointOf(model)], call)
      const [translation, models] = CALLS[call.endpoint] ?? []
      if (translation === undefined || models?.test(model) !== true) return undefined
      const address = at(model, 'invoke')
      return convertedAdapter(translation, { framing: 'sse', quirks: [], address: () => address })
    },
  }
}

function runtimeOf(region: string): string {
  return `https://bedrock-runtime.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`
}

/** The model id as one path segment: `:` and `/` in an ARN are encoded. */
function pathId(profiles: Readonly<Record<string, unknown>>, model: string): string {
  const profile = profiles[model]
  return encodeURIComponent(typeof profile === 'string' ? profile : bedrockId(model))
}

/** Accepts Anthropic's own names as well: on Bedrock, dated ones end in a version, newer ones do not. */
function bedrockId(model: string): string {
  if (!model.startsWith('claude-')) return model
  if (model === 'claude-3-5-sonnet-20241022') return `anthropic.${model}-v2:0`
  return /-\d{8}$/.test(model) ? `anthropic.${model}-v1:0` : `anthropic.${model}`
}

/** `eu.anthropic.claude-…`, or an inference profile whose name contains Claude. */
function isClaude(model: string): boolean {
  return /(?:^|[./])claude-/.test(model)
}
