import { at, SPEAKS_OPENAI, VENDOR_QUIRKS } from './defaults.ts'
import type { ProviderKind } from './kind.ts'

/** The API catalogue of build.nvidia.com, and NIM containers under a base URL of one's own. The code is Laisky's. */
export const nvidia: ProviderKind = {
  ...SPEAKS_OPENAI,
  code: 55,
  name: 'NVIDIA',
  quirks: [...VENDOR_QUIRKS, 'max-tokens-only'],
  address: at('https://integrate.api.nvidia.com'),
  endpoints: ['chat_completions', 'embeddings'],
  failures: [
    {
      fault: 'unknown_model',
      statuses: [410],
      text: /^The model '[\w.:/-]{1,200}' has reached its end of life on [\w:.-]{1,40} and is no longer available\.$/,
    },
  ],
  evidence: {
    described: 'NVIDIA: NIM API reference',
    remark:
      'the catalogue is paid in credits and has no price list: set prices for the models on the channel. Embedding models that tell ' +
      'queries from passages want `input_type`, or `-query` and `-passage` behind their name',
  },
}
