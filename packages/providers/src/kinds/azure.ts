import { azureAdapters } from '../adapters/azure-adapters.ts'
import { CLAUDE_LIMITS } from './anthropic.ts'
import { OPENAI_ENDPOINTS, OPENAI_ITSELF, OPENAI_PRICES, OWN_ADDRESS } from './defaults.ts'
import type { ProviderKind } from './kind.ts'

const { also: _responses, ...LIKE_OPENAI } = OPENAI_ITSELF

export const azure: ProviderKind = {
  ...LIKE_OPENAI,
  code: 3,
  name: 'Azure',
  credentials: 'azure-key',
  address: OWN_ADDRESS,
  adapters: azureAdapters,
  failures: [{ fault: 'unknown_model', statuses: [404], words: ['DeploymentNotFound'] }, ...CLAUDE_LIMITS],
  endpoints: OPENAI_ENDPOINTS.filter((name) => name !== 'moderations'),
  // Azure lists what can be deployed, not the deployments.
  modelList: false,
  keyForms: [
    { id: 'azureKey', written: 'one word', accepts: /^[!-{}~]+$/, parts: ['key'] },
    {
      id: 'entra',
      written: 'tenant|client_id|client_secret',
      accepts: /^[!-{}~]+\|[!-{}~]+\|[!-{}~]+$/,
      parts: ['tenant_id', 'client_id', 'client_secret'],
    },
  ],
  other: {
    meaning: 'apiVersion',
    accepts: /^(?:\d{4}-\d{2}-\d{2}(?:-preview)?|v1|preview|latest)$/,
    rule: 'must be an API version such as 2024-03-01-preview, v1, preview or latest',
    fallback: '2024-03-01-preview',
  },
  evidence: { described: 'Microsoft: Azure OpenAI REST reference, Claude in Foundry; replies as types 1 and 14' },
  prices: [{ seller: 'reseller', pi: 'azure', genai: 'azure', isInclusive: true }, OPENAI_PRICES],
}
