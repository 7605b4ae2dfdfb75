import { rawAdapters } from '../adapters/small-adapters.ts'
import { OWN_ADDRESS, USUAL } from './defaults.ts'
import type { ProviderKind } from './kind.ts'

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
    described: 'Sluice: whatever the caller sends',
    remark: 'called through `/v1/oneapi/proxy/{channel}/…`',
  },
}
