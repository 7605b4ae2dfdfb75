import type { UpstreamAddress } from '../adapters/adapter.ts'
import { addressAt, type BaseUrl, readBaseUrl } from '../adapters/base-url.ts'
import { type ChannelAdapters, conversationAdapter, type DialectEndpoint } from '../adapters/dialect-endpoints.ts'
import { geminiEndpoint, googleCallAdapter, STUDIO_CALLS } from '../adapters/google-calls.ts'
import { vertexAdapters } from '../adapters/vertex-adapters.ts'
import { PROJECT, REGION } from '../channel-fields/field-problem.ts'
import { googleDocumentProblem } from '../channel-fields/key-documents.ts'
import type { ChannelSetup, SetupProblem } from '../channel-setup.ts'
import type { FailureRule } from '../failures/failure-rule.ts'
import { ANTHROPIC_PRICES, CLAUDE_LIMITS } from './anthropic.ts'
import { at, REGIONAL, SPEAKS_OPENAI, USUAL, VENDOR_QUIRKS } from './defaults.ts'
import type { PriceSource, ProviderKind } from './kind.ts'

const GOOGLE_PRICES: PriceSource = { seller: 'vendor', pi: 'google', genai: 'google', overlay: 'GOOGLE_PRICES' }

const GOOGLE_FAILURES: readonly FailureRule[] = [
  { fault: 'account', statuses: [400], text: /^User location is not supported for the API use\.$/ },
  {
    fault: 'account',
    words: ['SERVICE_DISABLED', 'BILLING_DISABLED', 'CONSUMER_INVALID', 'INSUFFICIENT_G1_CREDITS_BALANCE'],
  },
  {
    fault: 'unknown_model',
    statuses: [404],
    text: /^models\/[\w.:@/-]{1,200} is not found for API version v\w{1,20}(?:, or is not supported for \w{1,60}\. Call (?:ModelService\.)?ListModels to see the list of available models and their supported methods\.)?$/,
  },
  {
    fault: 'unknown_model',
    statuses: [404],
    text: /^Publisher Model `projects\/[\w.:@/-]{1,300}` was not found or your project does not have access to it\. Please ensure you are using a valid model version\. For more information, see: [\w.:/-]{1,200}$/,
  },
  {
    fault: 'request_here',
    statuses: [400],
    text: /^The input token count \(\d+\) exceeds the maximum number of tokens allowed \(\d+\)\.$/,
  },
]

const STUDIO = {
  ...USUAL,
  dialect: 'gemini',
  credentials: 'goog-api-key',
  address: at('https://generativelanguage.googleapis.com'),
  endpoints: ['chat_completions', 'embeddings', 'images_generations'],
  adapters: geminiAdapters,
  failures: GOOGLE_FAILURES,
  other: {
    meaning: 'geminiVersion',
    accepts: /^v\d[a-z0-9]*$/,
    rule: 'must be an API version such as v1beta',
  },
  prices: [GOOGLE_PRICES],
} as const

export const palm: ProviderKind = {
  ...STUDIO,
  code: 11,
  name: 'PaLM2',
  standing: { state: 'closed', instead: 24 },
  evidence: { described: 'as type 24', remark: 'PaLM was shut down in 2024; calls are served by Gemini' },
}

export const gemini: ProviderKind = {
  ...STUDIO,
  code: 24,
  name: 'Gemini',
  evidence: { recorded: ['google', 'answers/gemini'], described: 'Google: Gemini API reference' },
}

const VERTEX_KEY = 'Region|ProjectID|credentials in JSON'

function vertexKeyProblem(key: string): string | undefined {
  const [region = '', project = '', ...rest] = key.split('|')
  if (rest.length === 0) return `must be written as ${VERTEX_KEY}`
  if (!REGION.test(region.trim())) return 'must begin with a region such as us-central1'
  if (!PROJECT.test(project.trim())) return 'must contain a project id after the region'
  const document = googleDocumentProblem(rest.join('|'))
  return document === undefined ? undefined : `credentials: ${document}`
}

export const vertexAi: ProviderKind = {
  ...USUAL,
  code: 42,
  name: 'VertexAI',
  dialect: 'gemini',
  credentials: 'google-service-account',
  address: REGIONAL,
  endpoints: ['chat_completions', 'embeddings', 'images_generations'],
  adapters: vertexAdapters,
  failures: [...GOOGLE_FAILURES, ...CLAUDE_LIMITS],
  // Its models are listed by publisher.
  modelList: false,
  keyForms: [
    {
      id: 'vertex',
      written: VERTEX_KEY,
      accepts: /\|.*\|/s,
      parts: ['region', 'vertex_ai_project_id', 'vertex_ai_adc'],
    },
  ],
  keyDocument: { isExpected: () => true, problem: vertexKeyProblem },
  evidence: {
    described: 'Google: Vertex AI reference, Claude on Vertex AI; vector of RFC 7515; replies as types 24 and 14',
  },
  prices: [{ seller: 'reseller', pi: 'google-vertex' }, ANTHROPIC_PRICES, GOOGLE_PRICES],
}

export const geminiOpenAi: ProviderKind = {
  ...SPEAKS_OPENAI,
  code: 51,
  name: 'Gemini OpenAI format',
  quirks: [...VENDOR_QUIRKS, 'google-thinking', 'thought-signatures'],
  failures: GOOGLE_FAILURES,
  address: at('https://generativelanguage.googleapis.com/v1beta/openai/'),
  endpoints: ['chat_completions', 'embeddings', 'images_generations'],
  evidence: { described: 'Google: OpenAI compatibility' },
  prices: [GOOGLE_PRICES],
}

const DEFAULT_VERSION = 'v1beta'

function geminiAdapters({ kind, baseUrl, other }: ChannelSetup): ChannelAdapters | SetupProblem {
  const base = readBaseUrl(baseUrl, kind.address.defaultBaseUrl)
  if ('problem' in base) return base
  const room = roomOf(base, other.trim() || DEFAULT_VERSION)
  const endpoints = (model: string): readonly DialectEndpoint[] => [
    geminiEndpoint((action) => actionAddress(base, room, model, action)),
  ]
  return {
    adapter: (call, model) =>
      call.dialect === undefined
        ? googleCallAdapter(STUDIO_CALLS, call, model, (action) => actionAddress(base, room, model, action))
        : conversationAdapter(endpoints(model), call),
  }
}

/** A version at the end of the base takes precedence. */
function roomOf({ path }: BaseUrl, version: string): string {
  return /\/v\d[a-z0-9]*$/.test(path) ? path : `${path}/${version}`
}

function actionAddress(base: BaseUrl, room: string, model: string, action: string): UpstreamAddress {
  const [, kind = 'models', name = model] = /^(models|tunedModels)\/(.+)$/s.exec(model) ?? []
  return addressAt({ ...base, query: '' }, `${room}/${kind}/${encodeURIComponent(name)}:${action}`)
}
