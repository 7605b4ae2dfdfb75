import { bedrockAdapters } from '../adapters/bedrock-adapters.ts'
import { problem } from '../channel-fields/field-problem.ts'
import type { FailureRule } from '../failures/failure-rule.ts'
import { CLAUDE_LIMITS } from './anthropic.ts'
import { REGIONAL, USUAL } from './defaults.ts'
import type { ProviderKind } from './kind.ts'

/** The exception name is in a header; the message contains it as well. */
const BEDROCK_FAILURES: readonly FailureRule[] = [
  {
    fault: 'unknown_model',
    statuses: [403],
    text: /^You don't have access to the model with the specified model ID\.$/,
  },
  {
    fault: 'unknown_model',
    statuses: [403],
    text: /^Model access is denied due to IAM user or service role is not authorized to perform the required AWS Marketplace actions \([\w:, -]{1,200}\) to enable access to this model\. Refer to the Amazon Bedrock documentation for further details\. Your AWS Marketplace subscription for this model cannot be completed at this time\. If you recently fixed this issue, try again after \d+ minutes\.$/,
  },
  { fault: 'unknown_model', statuses: [400], text: /^The provided model identifier is invalid\.$/ },
  {
    fault: 'unknown_model',
    statuses: [400],
    text: /^Invocation of model ID [\w.:/-]{1,300} with on-demand throughput isn[’']t supported\. Retry your request with the ID or ARN of an inference profile that contains this model\.$/,
  },
  { fault: 'unknown_model', statuses: [400], text: /^The provided model doesn't support on-demand throughput\.$/ },
  { fault: 'unknown_model', statuses: [404], text: /^Model not found\.$/ },
  {
    fault: 'unknown_model',
    statuses: [404],
    text: /^This model version has reached the end of its life\. Please refer to the AWS documentation for more details\.$/,
  },
  {
    fault: 'unknown_model',
    statuses: [403, 404],
    text: /^Access denied\. This Model is marked by provider as Legacy and you have not been actively using the model in the last \d+ days\.$/,
  },
  { fault: 'request_here', statuses: [400], text: /^Input is too long for requested model\.$/ },
  { fault: 'request_here', statuses: [400], text: /^The maximum tokens you requested exceeds the model limit of \d+/ },
  ...CLAUDE_LIMITS,
]

export const aws: ProviderKind = {
  ...USUAL,
  code: 33,
  name: 'AWS',
  dialect: 'bedrock-converse',
  credentials: 'sigv4',
  address: REGIONAL,
  endpoints: ['chat_completions', 'embeddings', 'images_generations', 'rerank'],
  adapters: bedrockAdapters,
  failures: BEDROCK_FAILURES,
  modelList: false,
  keyForms: [
    {
      id: 'awsAccessKey',
      written: 'AccessKey|SecretKey|Region',
      accepts: /^[!-{}~]+\|[!-{}~]+\|[a-z][a-z0-9-]{0,39}(?:\|[!-{}~]+)?$/,
      parts: ['ak', 'sk', 'region'],
      optionalPart: 'session_token',
    },
    {
      id: 'bedrockKey',
      written: 'one word (a Bedrock API key)',
      accepts: /^[!-{}~]+$/,
      parts: ['key'],
      config: ['region'],
    },
  ],
  missingConfig: ({ key, config }) =>
    key !== undefined && !key.includes('|') && config['region'] === undefined
      ? problem('config.region', 'is required with a Bedrock API key')
      : undefined,
  takesArnMap: true,
  evidence: {
    recorded: ['bedrock', 'answers/bedrock-converse'],
    described: 'AWS: Bedrock API reference, event stream encoding; vectors of Signature Version 4',
  },
  prices: [{ seller: 'reseller', pi: 'amazon-bedrock', genai: 'aws' }],
}
