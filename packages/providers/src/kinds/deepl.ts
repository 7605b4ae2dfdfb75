import { deeplAdapters } from '../adapters/small-adapters.ts'
import { at, USUAL } from './defaults.ts'
import type { ProviderKind } from './kind.ts'

export const deepl: ProviderKind = {
  ...USUAL,
  code: 38,
  name: 'DeepL',
  dialect: 'deepl',
  credentials: 'deepl-key',
  address: at('https://api-free.deepl.com'),
  adapters: deeplAdapters,
  modelList: false,
  evidence: { written: 'deepl', described: 'DeepL: translate text' },
}
