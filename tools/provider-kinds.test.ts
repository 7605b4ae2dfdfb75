import { existsSync, readdirSync } from 'node:fs'
import { adaptersOf } from '@sluice/providers/adapters/adapters'
import { channelProblems, storedOther } from '@sluice/providers/channel-fields/channel-fields'
import { withoutBlanks } from '@sluice/providers/channel-fields/config-fields'
import { parseObject } from '@sluice/providers/channel-fields/json-object'
import { newKeys } from '@sluice/providers/channel-fields/key-parts'
import { isSetupProblem } from '@sluice/providers/channel-setup'
import { credentialsOf } from '@sluice/providers/credentials/credentials-of'
import { KINDS, kindOf } from '@sluice/providers/kinds/all'
import type { ProviderKind } from '@sluice/providers/kinds/kind'
import { modelListStep } from '@sluice/providers/offered-models'
import { CHANNEL_BODIES } from '@sluice/testkit/channel-bodies'
import { expect, test } from 'vitest'
import { en } from '../apps/console/src/features/channels/texts/provider-texts.ts'
import { zhCN } from '../apps/console/src/features/channels/texts/provider-zh-cn.ts'
import { sellersOf } from './prices/sellers.ts'

const FOLDER = new URL('../packages/providers/src/kinds/', import.meta.url)
const RECORDED = new URL('../tests/recorded/', import.meta.url)

/** Kinds whose models are created by the administrator there: bots, applications, versions, languages, or anything else. */
const MODELS_OF_THEIR_OWN = [
  'AI Proxy knowledge base',
  'FastGPT',
  'Coze',
  'DeepL',
  'Proxy',
  'Replicate',
  'iFlytek Spark',
  'Spark V2',
]
/** Codes that other gateways of the family use for another kind of channel. */
const TAKEN = { 52: 'Claude-compatible (Laisky)', 53: 'Copilot (Laisky)', 58: 'Zai (Laisky)', 60: 'TypeSafe (Laisky)' }

test('every kind is complete', async () => {
  const lacks = [
    ...(await unlisted()),
    ...KINDS.flatMap((kind) => lacksOf(kind).map((lack) => `${kind.name}: ${lack}`)),
  ]
  expect(lacks, 'docs/how-to/add-a-provider-kind.md says how to mend each').toEqual([])
})

/** Kinds in this folder that are missing from the list. */
async function unlisted(): Promise<readonly string[]> {
  const files = readdirSync(FOLDER).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  const found = await Promise.all(
    files.map(async (file) => {
      const exported = (await import(new URL(file, FOLDER).href)) as Readonly<Record<string, unknown>>
      return Object.entries(exported).map(([name, value]) => ({ file, name, value }))
    }),
  )
  const listed: ReadonlySet<unknown> = new Set(KINDS)
  return found
    .flat()
    .filter(({ value }) => typeof value === 'object' && value !== null && 'code' in value && !listed.has(value))
    .map(({ file, name }) => `kinds/${file}: ${name} is missing from kinds/all.ts`)
}

function lacksOf(kind: ProviderKind): readonly string[] {
  const { code, name, dialect, endpoints, evidence, standing, modelList, prices } = kind
  const given: readonly (readonly [lacks: boolean, what: string])[] = [
    [kindOf(code) !== kind, `another kind has code ${code}`],
    [code in TAKEN, `code ${code} is taken elsewhere in the family`],
    [KINDS.slice(KINDS.indexOf(kind)).some((each) => each.code < code), 'stands before a kind of a lower code'],
    [KINDS.some((each) => each !== kind && each.name === name), 'another kind has its name'],
    [endpoints.length === 0 && dialect !== 'raw', 'no endpoints'],
    [!modelList && prices.length === 0 && !MODELS_OF_THEIR_OWN.includes(name), 'no models: neither a list nor prices'],
    [modelList && !hasList(kind), 'its dialect has no call for a list of models'],
    [evidence.described.trim() === '', 'no evidence: name the description that it follows'],
    [
      dialect !== 'raw' && !KINDS.some((each) => each.dialect === dialect && hasReplies(each)),
      `no reply in ${dialect}`,
    ],
    [standing !== 'current' && kindOf(standing.instead)?.standing !== 'current', 'its successor is not current'],
  ]
  return [
    ...given.filter(([isLacking]) => isLacking).map(([, what]) => what),
    ...missingReplies(kind),
    ...missingTexts(kind),
    ...channelFaults(kind),
    ...priceFaults(kind),
  ]
}

function hasReplies({ evidence: { recorded = [], written } }: ProviderKind): boolean {
  return recorded.length > 0 || written !== undefined
}

function hasList({ code, keyPlaceholder }: ProviderKind): boolean {
  const key = keyPlaceholder === 'id.secret' ? keyPlaceholder : 'sk-upstream'
  return modelListStep(code, { baseUrl: 'https://llm.example.org', other: '', config: {}, key }) !== undefined
}

function missingReplies({ evidence: { recorded = [], written } }: ProviderKind): readonly string[] {
  const folders = [...recorded, ...(written === undefined ? [] : [`answers/${written}`])]
  return folders
    .filter((folder) => !existsSync(new URL(folder, RECORDED)))
    .map((folder) => `tests/recorded/${folder} does not exist`)
}

function missingTexts({ keyForms, config = [], other }: ProviderKind): readonly string[] {
  const forms = keyForms.length === 1 ? [] : keyForms.map(({ id }) => id)
  const fields = keyForms.flatMap(({ parts, optionalPart, config: more = [] }) => [
    ...parts.filter((part) => part !== 'key'),
    ...(optionalPart === undefined ? [] : [optionalPart]),
    ...more,
  ])
  const shown = [...fields, ...config].filter((field) => field !== 'auth_type' && field !== 'api_format')
  const known = ['apiVersion', 'geminiVersion', 'sparkVersion', 'plugin', 'library']
  return [
    ...[en, zhCN].flatMap((texts) => [
      ...forms.filter((id) => !(id in texts.keyForms)).map((id) => `the console has no text for the key form ${id}`),
      ...shown.filter((id) => !(id in texts.fields)).map((id) => `the console has no text for the field ${id}`),
    ]),
    ...(other === undefined || known.includes(other.meaning) ? [] : [`the console has no field for ${other.meaning}`]),
  ]
}

/** The kind's sample channel must pass every check, and reach everything that the kind says it serves. */
function channelFaults(kind: ProviderKind): readonly string[] {
  const body = CHANNEL_BODIES.find(({ type }) => type === kind.code)
  if (body === undefined) return ['no channel in testkit/channel-bodies.ts']
  const config = withoutBlanks(parseObject(body.config ?? '{}') ?? {})
  const keys = newKeys(kind.code, body.key, config)
  if ('rule' in keys) return [`the key in testkit/channel-bodies.ts ${keys.rule}`]
  const [key = ''] = keys
  const { base_url: baseUrl = '' } = body
  const other = storedOther(kind.code, body.other ?? '')
  const draft = { baseUrl, other, config, key, modelMapping: null, modelConfigs: null, inferenceProfileArnMap: null }
  const problems = channelProblems({ ...draft, type: kind.code }).map(({ field, rule }) => `${field} ${rule}`)
  const setup = { kind, baseUrl, other, config, key, inferenceProfileArnMap: null }
  const adapters = adaptersOf(setup)
  // The keys in key documents are made up.
  const credentials = kind.keyDocument === undefined ? [credentialsOf(setup)] : []
  const chat = { endpoint: 'chat_completions', path: '/v1/chat/completions', dialect: 'openai-chat' } as const
  const isReached = 'adapter' in adapters && adapters.adapter(chat, 'm') !== undefined
  return [
    ...problems,
    ...[adapters, ...credentials].flatMap((made) => (isSetupProblem(made) ? [made.problem] : [])),
    ...(kind.endpoints.includes('chat_completions') && !isReached ? ['its chat is not reached'] : []),
  ]
}

function priceFaults(kind: ProviderKind): readonly string[] {
  try {
    sellersOf([kind])
    return []
  } catch (error) {
    return [String(error)]
  }
}
