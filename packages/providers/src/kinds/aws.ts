import { bedrockAdapters } from '../adapters/bedrock-adapters.ts'
import { problem } from '../channel-fields/field-problem.ts'
import { REGIONAL, USUAL } from './defaults.ts'
import type { ProviderKind } from './kind.ts'

export const aws: ProviderKind = {
  ...USUAL,
  code: 33,
  name: 'AWS',
  dialect: 'bedrock-converse',
  credentials: 'sigv4',
  address: REGIONAL,
  endpoints: ['chat_completions', 'embeddings', 'images_generations', 'rerank'],
  adapters: bedrockAdapters,
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
