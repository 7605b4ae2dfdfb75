import { cozeAdapters } from '../adapters/small-adapters.ts'
import { cozeDocumentProblem } from '../channel-fields/key-documents.ts'
import { at, USUAL } from './defaults.ts'
import type { ProviderKind } from './kind.ts'

export const coze: ProviderKind = {
  ...USUAL,
  code: 34,
  name: 'Coze',
  dialect: 'coze',
  credentials: 'coze',
  address: at('https://api.coze.com'),
  adapters: cozeAdapters,
  modelList: false,
  // A personal access token; the other way to sign in is a document.
  keyForms: [{ id: 'plain', written: 'one word', accepts: /^[!-z|}~]+$/, parts: ['key'] }],
  keyDocument: {
    written: 'the JSON document of an OAuth app (auth_type oauth_jwt)',
    isExpected: (config) => config['auth_type'] === 'oauth_jwt',
    problem: cozeDocumentProblem,
  },
  config: ['auth_type', 'user_id'],
  evidence: { written: 'coze', described: 'Coze: chat v3, OAuth with JWT' },
}
