import {
  cozeAdapters,
  deeplAdapters,
  libraryAdapters,
  rawAdapters,
  replicateAdapters,
} from '../adapters/small-adapters.ts'
import { cozeDocumentProblem } from '../channel-fields/key-documents.ts'
import { at, OWN_ADDRESS, USUAL } from './defaults.ts'
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

export const coze: ProviderKind = {
  ...USUAL,
  code: 34,
  name: 'Coze',
  dialect: 'coze',
  credentials: 'coze',
  address: at('https://api.coze.com'),
  adapters: cozeAdapters,
  modelList: false,
  // A personal access token; the alternative is a JSON document.
  keyForms: [{ id: 'plain', written: 'one word', accepts: /^[!-z|}~]+$/, parts: ['key'] }],
  keyDocument: {
    written: 'the JSON document of an OAuth app (auth_type oauth_jwt)',
    isExpected: (config) => config['auth_type'] === 'oauth_jwt',
    problem: cozeDocumentProblem,
  },
  config: ['auth_type', 'user_id'],
  evidence: { written: 'coze', described: 'Coze: chat v3, OAuth with JWT' },
}

export const aiProxyLibrary: ProviderKind = {
  ...USUAL,
  code: 21,
  name: 'AI Proxy knowledge base',
  dialect: 'library-ask',
  address: at('https://api.aiproxy.io'),
  adapters: libraryAdapters,
  modelList: false,
  other: { meaning: 'library', accepts: /^[\w-]{1,100}$/, rule: 'must be a library id' },
  standing: { state: 'closed', instead: 22 },
  evidence: {
    written: 'library-ask',
    described: 'the request format that this family of gateways has always used',
    remark: 'apparently no longer in service',
  },
}

export const proxy: ProviderKind = {
  ...USUAL,
  code: 43,
  name: 'Proxy',
  dialect: 'raw',
  credentials: 'verbatim',
  address: OWN_ADDRESS,
  endpoints: [],
  adapters: rawAdapters,
  modelList: false,
  keyForms: [
    {
      id: 'plain',
      written: 'the value of an Authorization header',
      accepts: /^[!-~](?:[ -~]*[!-~])?$/,
      parts: ['key'],
    },
  ],
  keyPlaceholder: 'Bearer …',
  evidence: {
    described: 'no vendor API: Sluice passes on whatever the caller sends',
    remark: 'called through `/v1/oneapi/proxy/{channel}/…`',
  },
}
