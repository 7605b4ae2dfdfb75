import { replicateAdapters } from '../adapters/small-adapters.ts'
import { at, USUAL } from './defaults.ts'
import type { ProviderKind } from './kind.ts'

export const replicate: ProviderKind = {
  ...USUAL,
  code: 46,
  name: 'Replicate',
  dialect: 'replicate',
  address: at('https://api.replicate.com/v1/models/'),
  endpoints: ['chat_completions', 'images_generations'],
  adapters: replicateAdapters,
  modelList: false,
  evidence: { written: 'replicate', described: 'Replicate: HTTP API' },
}
