import { CLIENT_DIALECTS, type ClientDialect } from '../../../packages/dialects/laws/client-dialects.ts'
import { UPSTREAM_CODECS } from '../../../packages/dialects/laws/codecs.ts'
import type { UpstreamCodec } from '../../../packages/dialects/src/canon/codec.ts'
import { ANSWER_FEATURES, type AnswerFeature, type Arrival } from './answer-features.ts'
import { hear } from './hearing.ts'
import { recordingsOf } from './recordings.ts'
import { REQUEST_FEATURES, type Telling, telling } from './request-features.ts'

const PROVIDERS = ['openai-chat', 'openai-responses', 'anthropic-messages', 'gemini', 'bedrock-converse', 'cohere']
const CODECS = UPSTREAM_CODECS.filter(({ dialect }) => PROVIDERS.includes(dialect))

const INTRODUCTION = `# Fidelity

What arrives of a conversation between a client of one format (each section) and a provider of another dialect (each column). The tables
are made by running the codecs: answers are [recorded ones](../../tests/recorded/answers/SOURCES.md), each request uses one
feature. A stale page fails its test.

- \`=\`: client and provider speak the same dialect; bytes pass unchanged.
- yes: arrives unchanged, streamed and whole. words: it is in the answer's text, because the format has no field for it.
- \`seed\` lost, \`seed\` near: the provider does not receive it, or receives something similar. \`X-Sluice-Losses\` and the log row list it,
  and strict mode refuses the request instead. Nothing else is lost: the laws in \`packages/dialects/laws\` ensure that.
- refused: the client gets an error that names the field; see the last table.
- \u2013: the client's format cannot express it, or no answer of this provider has it.

"Signatures, shown again" is a whole turn: the client returns the answer that it received, and every signature in it must reach its
provider again.

Made by \`npm run fix\` from the code; a stale page fails the check.
`

export function fidelityPage(): string {
  const refusals = new Map<string, string>()
  const sections = CLIENT_DIALECTS.map((spoken) => section(spoken, refusals))
  return [INTRODUCTION, ...sections, refusalTable(refusals), recordingTable()].join('\n')
}

function section(spoken: ClientDialect, refusals: Map<string, string>): string {
  const answers = ANSWER_FEATURES.map((feature) => [
    feature.name,
    ...CODECS.map((codec) => (codec.dialect === spoken.dialect ? '=' : answerCell(feature, spoken, codec))),
  ])
  const requests = REQUEST_FEATURES.map((feature) => [
    feature.name,
    ...CODECS.map((codec) => {
      if (codec.dialect === spoken.dialect) return '='
      const told = telling(feature, spoken, codec)
      if (told !== undefined && 'refused' in told) refusals.set(`${feature.name} | ${codec.dialect}`, told.refused)
      return requestCell(told)
    }),
  ])
  return [
    `## Clients of ${spoken.dialect}\n`,
    table(['Answers', ...CODECS.map(({ dialect }) => dialect)], answers),
    table(['Requests', ...CODECS.map(({ dialect }) => dialect)], requests),
  ].join('\n')
}

const RANK: readonly Arrival[] = ['yes', 'text', 'no']

/** The feature's worst result over all recordings. */
function answerCell(feature: AnswerFeature, spoken: ClientDialect, codec: UpstreamCodec): string {
  const arrivals = recordingsOf(codec)
    .filter(({ reply }) => feature.isIn(reply))
    .map((recording) => feature.arrives({ recording, heard: hear(spoken, recording), spoken, codec }))
  const worst = arrivals.toSorted((a, b) => RANK.indexOf(b) - RANK.indexOf(a))[0]
  return worst === undefined ? '\u2013' : worst === 'text' ? 'words' : worst
}

function requestCell(told: Telling | undefined): string {
  if (told === undefined) return '\u2013'
  if ('refused' in told) return 'refused'
  if (told.losses.length === 0) return 'yes'
  return told.losses.map(({ what, became }) => `\`${what}\` ${became === 'dropped' ? 'lost' : 'near'}`).join(', ')
}

function refusalTable(refusals: ReadonlyMap<string, string>): string {
  const rows = [...refusals].map(([key, rule]) => [...key.split(' | '), rule])
  return `## Refusals\n\n${table(['What', 'Provider', 'The field'], rows)}`
}

function recordingTable(): string {
  const rows = CODECS.map((codec) => [
    codec.dialect,
    recordingsOf(codec)
      .map(({ name }) => name)
      .join(', '),
  ])
  return `## Recordings\n\n${table(['Dialect', 'Answers'], rows)}`
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line), ''].join('\n')
}
