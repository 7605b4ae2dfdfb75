import { at, SPEAKS_OPENAI, VENDOR_QUIRKS } from './defaults.ts'
import type { ProviderKind } from './kind.ts'

/**
 * Its vectors are left out: they are returned only as bytes, which clients of OpenAI would read as floats. What it reports of
 * searches and its own bill are read with the usage.
 */
export const perplexity: ProviderKind = {
  ...SPEAKS_OPENAI,
  code: 61,
  name: 'Perplexity',
  quirks: [...VENDOR_QUIRKS, 'max-tokens-only', 'think-tags'],
  // Its paths contain no version.
  address: at('https://api.perplexity.ai', ''),
  reportsCost: true,
  failures: [{ fault: 'unknown_model', statuses: [400], words: ['invalid_model'] }],
  modelList: false,
  evidence: { recorded: ['perplexity'], described: 'Perplexity: Sonar API, OpenAI compatibility' },
  prices: [{ seller: 'reseller', genai: 'perplexity' }],
}
