import type { JsonObject } from '@sluice/dialects/json-value'
import { type BaseUrl, openAiAddress, rootOf } from '../adapters/base-url.ts'
import { type AddressOf, openAiAdapters } from '../adapters/openai-adapters.ts'
import type { ChannelSetup } from '../channel-setup.ts'
import { at, SPEAKS_OPENAI, VENDOR_QUIRKS } from './defaults.ts'
import type { ProviderKind } from './kind.ts'

/** Models of the newer series have a version path of their own. */
function addresses(_: ChannelSetup, base: BaseUrl): AddressOf {
  const root = { ...base, path: rootOf(base) }
  return (path, model) => openAiAddress(root, /^(?:spark-)?x\d/i.test(model) ? '/v2' : '/v1', path)
}

const SPARK = {
  ...SPEAKS_OPENAI,
  credentials: 'spark',
  quirks: [
    ...VENDOR_QUIRKS,
    'max-tokens-only',
    'string-content',
    'no-null-content',
    'clamp-sampling',
    'no-json-schema',
  ],
  address: at('https://spark-api-open.xf-yun.com'),
  modelList: false,
  evidence: { described: 'iFlytek: Spark HTTP API' },
} as const

/** The older kind has versions in place of model names. */
const VERSIONS: Readonly<Record<string, string>> = {
  'v1.1': 'lite',
  'v2.1': 'generalv2',
  'v3.1': 'generalv3',
  'v3.5': 'generalv3.5',
  'v4.0': '4.0Ultra',
}

function byVersion({ other }: ChannelSetup, model: string) {
  const version = /^sparkdesk(?:-(v\d\.\d))?$/i.exec(model)
  const name = version === null ? undefined : VERSIONS[version[1] ?? other.trim()]
  return name === undefined ? undefined : (body: JsonObject) => ({ ...body, model: name })
}

export const spark: ProviderKind = {
  ...SPARK,
  code: 18,
  name: 'iFlytek Spark',
  adapters: (setup) => openAiAdapters(setup, { addresses, adapt: byVersion }),
  keyForms: [
    {
      id: 'sparkTriple',
      written: 'APPID|APISecret|APIKey',
      accepts: /^[!-{}~]+\|[!-{}~]+\|[!-{}~]+$/,
      parts: ['app_id', 'api_secret', 'api_key'],
    },
    {
      id: 'sparkPassword',
      written: 'one word (an API password)',
      accepts: /^[!-{}~]+$/,
      parts: ['key'],
      usual: true,
    },
  ],
  other: {
    meaning: 'sparkVersion',
    accepts: /^v\d\.\d$/,
    rule: 'must be a Spark version such as v3.5',
    choices: ['v1.1', 'v2.1', 'v3.1', 'v3.5'],
  },
  standing: { state: 'older', instead: 48 },
  evidence: { ...SPARK.evidence, remark: 'served over HTTP, as type 48; older keys are accepted' },
}

export const sparkV2: ProviderKind = {
  ...SPARK,
  code: 48,
  name: 'Spark V2',
  adapters: (setup) => openAiAdapters(setup, { addresses }),
  keyPlaceholder: 'APIPassword',
}
