import { openAiAddress, readBaseUrl } from '../adapters/base-url.ts'
import { type ChannelAdapters, conversationAdapter, type DialectEndpoint } from '../adapters/dialect-endpoints.ts'
import type { ChannelSetup, SetupProblem } from '../channel-setup.ts'
import type { FailureRule } from '../failures/failure-rule.ts'
import { at, USUAL } from './defaults.ts'
import type { PriceSource, ProviderKind } from './kind.ts'

export const ANTHROPIC_PRICES: PriceSource = {
  seller: 'vendor',
  pi: 'anthropic',
  genai: 'anthropic',
  overlay: 'ANTHROPIC_PRICES',
}

export const CLAUDE_LIMITS: readonly FailureRule[] = [
  { fault: 'request_here', statuses: [400], text: /^prompt is too long: \d+ tokens > \d+ maximum$/ },
  {
    fault: 'request_here',
    statuses: [400],
    text: /^input length and `max_tokens` exceed context limit: [\d +>]+, .+$/,
  },
  { fault: 'request_here', statuses: [400], text: /^[\w.]{1,300}: Extra inputs are not permitted$/ },
]

const ANTHROPIC_FAILURES: readonly FailureRule[] = [
  {
    fault: 'account',
    statuses: [400],
    text: /^Your credit balance is too low to access the (?:Anthropic|Claude) API\. Please go to Plans & Billing to upgrade or purchase credits\.$/,
  },
  {
    fault: 'account',
    statuses: [400],
    text: /^You have reached your specified API usage limits\. You will regain access on [\d-]{10} at [\d:]{5} UTC\.$/,
  },
  { fault: 'account', statuses: [400], text: /^This organization has been disabled\.$/ },
  { fault: 'request_here', statuses: [429], text: /^Extra usage is required for long context requests\.$/ },
  { fault: 'unknown_model', statuses: [404], text: /^model: [\w.:@/-]{1,200}$/ },
  ...CLAUDE_LIMITS,
]

export const anthropic: ProviderKind = {
  ...USUAL,
  code: 14,
  name: 'Anthropic',
  dialect: 'anthropic-messages',
  credentials: 'x-api-key',
  address: at('https://api.anthropic.com'),
  adapters: anthropicAdapters,
  holdsThreads: true,
  failures: ANTHROPIC_FAILURES,
  evidence: {
    recorded: ['anthropic', 'answers/anthropic-messages'],
    described: 'Anthropic: Messages API',
    remark:
      'keys `sk-ant-oat…` work too: they are tokens of a Claude subscription. Anthropic intends them for ordinary use of its own applications and does not permit ' +
      'sending other people’s requests with them (code.claude.com/docs/en/legal-and-compliance, November 2026): for a service, use an API key',
  },
  prices: [ANTHROPIC_PRICES],
}

function anthropicAdapters({ kind, baseUrl }: ChannelSetup): ChannelAdapters | SetupProblem {
  const base = readBaseUrl(baseUrl, kind.address.defaultBaseUrl)
  if ('problem' in base) return base
  const endpoint: DialectEndpoint = {
    dialect: 'anthropic-messages',
    framing: 'sse',
    quirks: [],
    address: (path) => openAiAddress(base, '/v1', path),
  }
  return { adapter: (call) => (call.dialect === undefined ? undefined : conversationAdapter([endpoint], call)) }
}
