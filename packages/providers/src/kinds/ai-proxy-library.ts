import { libraryAdapters } from '../adapters/small-adapters.ts'
import { at, USUAL } from './defaults.ts'
import type { ProviderKind } from './kind.ts'

export const aiProxyLibrary: ProviderKind = {
  ...USUAL,
  code: 21,
  name: 'AI Proxy knowledge base',
  dialect: 'library-ask',
  address: at('https://api.aiproxy.io'),
  adapters: libraryAdapters,
  modelList: false,
  other: { meaning: 'library', accepts: /^[\w-]{1,100}$/, rule: 'must be the id of a library' },
  standing: { state: 'closed', instead: 22 },
  evidence: {
    written: 'library-ask',
    described: 'how this family of gateways has always asked',
    remark: 'not known to answer any more',
  },
}
