import type { FailureRule } from './failure-rule.ts'

/** Introduced by OpenAI or Anthropic, and used in the same sense by most vendors and gateways. */
export const USUAL_WORDS: readonly FailureRule[] = [
  {
    fault: 'account',
    words: [
      'insufficient_quota',
      'billing_hard_limit_reached',
      'billing_not_active',
      'billing_error',
      'account_deactivated',
      'exceeded_current_quota_error',
      'insufficient_balance_error',
      'organization_restricted',
      'unsupported_country_region_territory',
      // From another gateway of the family, called as a provider.
      'insufficient_user_quota',
      'pre_consume_token_quota_failed',
    ],
  },
  {
    fault: 'key',
    words: ['authentication_error', 'invalid_api_key', 'permission_error', 'forbidden', 'API_KEY_INVALID'],
  },
  { fault: 'unknown_model', words: ['model_not_found', 'model_not_available', 'model_decommissioned'] },
  {
    fault: 'request_here',
    words: [
      'context_length_exceeded',
      'request_too_large',
      'content_filter',
      'content_policy_violation',
      'moderation_blocked',
      'unsupported_parameter',
      'unsupported_value',
    ],
  },
  { fault: 'limited', words: ['rate_limit_error', 'rate_limit_exceeded'] },
  // vLLM, and the servers that copy it.
  { fault: 'unknown_model', statuses: [400, 404], text: /^The model `[^`]{1,200}` does not exist\.$/ },
  // Ollama.
  {
    fault: 'unknown_model',
    statuses: [404],
    text: /^model ["'][^"']{1,200}["'] not found(?:, try pulling it first)?$/,
  },
  {
    fault: 'request_here',
    statuses: [400],
    text: /^This model's maximum context length is \d+ tokens\. However, .{1,300}\.$/,
  },
]
