import { BATCH_RULES } from '../../packages/providers/src/capabilities/batch-rules.ts'
import { RESPONSES_RULES } from '../../packages/providers/src/capabilities/responses-rules.ts'
import { VENDOR_RULES } from '../../packages/providers/src/capabilities/rules.ts'
import type { CapabilityRule } from '../../packages/providers/src/capabilities/rules/capability-rule.ts'
import { KINDS } from '../../packages/providers/src/kinds/all.ts'
import { code, MADE_BY, table } from './markdown-page.ts'

const HEAD = ['Models', 'Sampling', 'Other settings', 'Thinking', 'Efforts', 'Differences', 'Source']
const SAMPLING = { yes: 'yes', off: 'while it does not think', no: 'no' } as const
const NEEDS = {
  all: 'everything',
  none: 'nothing',
  asked: 'functions, if thinking is requested',
  'unless-off': 'functions, unless thinking is switched off; the effort max',
} as const

export function modelRulesPage(): string {
  const intro =
    'What models accept, by family, as their vendors say. The rules hold wherever a model is reached: names are compared without what hosts and ' +
    'resellers put around them (`us.anthropic.`, `openai/`, `:free`), and the first pattern that matches decides. They apply to requests that are ' +
    'translated. A setting that a model refuses is left out, a word that it does not know becomes the nearest, and both are named in ' +
    '`X-Sluice-Losses` and the log. A client that speaks its provider’s own dialect is passed on untouched, except where a quirk of the provider ' +
    'says otherwise and for functions that only Responses take. Nothing is changed for a model that no pattern matches.'
  return [
    `# Rules of models\n\n${intro}\n\n${MADE_BY}`,
    ...VENDOR_RULES.map(({ vendor, sources, rules }) => section(vendor, `${sources}.`, HEAD, rules.map(rowOf))),
    section(
      'What OpenAI and Azure take in Responses only',
      'Chat clients, too, are translated to Responses for such a request, at the types that answer as OpenAI does.',
      ['Models', 'In Responses only', 'Source'],
      RESPONSES_RULES.map(({ models, needs, source }) => [code(models.source), NEEDS[needs], source]),
    ),
    section(
      'Inputs of one call for embeddings',
      'A request for more is split, up to 256 calls, of which four run at a time; the vectors are joined in order and charged once.',
      ['Type', 'Models', 'Most', 'Source'],
      BATCH_RULES.map(({ kinds, models, most, source }) => [
        kinds.map(nameOf).join(', '),
        models === undefined ? 'all others' : code(models.source),
        most.toLocaleString('en'),
        source,
      ]),
    ),
  ].join('\n')
}

function section(title: string, text: string, head: readonly string[], rows: readonly (readonly string[])[]): string {
  return `## ${title}\n\n${text}\n\n${table(head, rows)}\n`
}

function nameOf(kind: number): string {
  return KINDS.find(({ code: type }) => type === kind)?.name ?? String(kind)
}

function rowOf(rule: CapabilityRule): readonly string[] {
  const { models, sampling, thinking, efforts = [], source = '' } = rule
  return [
    code(models.source),
    SAMPLING[sampling],
    settingsOf(rule).join(', '),
    thinking ?? 'no',
    efforts.join(', '),
    differencesOf(rule).join('; '),
    source,
  ]
}

function settingsOf({ topK, penalties, stop, bias }: CapabilityRule): readonly string[] {
  return [
    ...(topK === true ? ['top_k'] : []),
    ...(stop === true ? ['stop'] : []),
    ...(penalties === undefined ? [] : [penalties === 'presence' ? 'presence_penalty' : 'penalties']),
    ...(bias === false ? ['no logit_bias'] : []),
  ]
}

function differencesOf(rule: CapabilityRule): readonly string[] {
  const { thinksUnasked, thinkingOff, forcedCalls, prefill, schemas, maxTokens } = rule
  return [
    ...(thinksUnasked === true ? ['thinks unless switched off'] : []),
    ...(thinkingOff === 'refused' ? ['thinking cannot be switched off: the least effort is sent'] : []),
    ...(thinkingOff === 'between_tools' ? ['thinking is switched off by between_tools'] : []),
    ...(forcedCalls === 'refused' ? ['no call can be required: auto is sent'] : []),
    ...(forcedCalls === 'unless-thinking' ? ['a required call switches thinking off'] : []),
    ...(prefill === false ? ['does not continue an answer: its user asks for the rest'] : []),
    ...(schemas === false ? ['a JSON schema is put into words'] : []),
    ...(maxTokens === false ? ['no limit of tokens'] : []),
  ]
}
