import type { Got } from './client.ts'
import type { FaultRow, MiddleRow, Rested } from './fault-rows.ts'
import type { Kept } from './matrix-world.ts'

const TEXT = `# Faults of providers

What a client sees, what is charged, and what a channel is given for it, for each way a provider may fail. Every line was met by a real
gateway and an emulated provider in \`tests/routing/fault-matrix.test.ts\`, which writes this page and fails when it is stale
(\`npx vitest run --project product tests/routing/fault-matrix.test.ts -u\` writes it anew). RetryTimes is 1; silence is given up after
\`SLUICE_FIRST_BYTE_TIMEOUT\` and \`SLUICE_IDLE_TIMEOUT\`.

- **Alone**: the failing channel is the only one. **Beside a good one**: a channel of lower priority has the model too.
- A request costs 1 quota per token of its prompt and 2 per token of its answer. "counted here": the provider did not say how many tokens
  had come, so they were counted.
- **Rest**: what is left alone, and for how long at first; it doubles when that was in vain (\`docs/decisions/0040\`). Whoever asks for
  it: the model of the channel with that key. A refused key: all its models. Failures: the model of the channel with all its keys.
  "Failures in a row" are ten, or five over more than a second. Up to a quarter of a rest is left out by chance where the provider did
  not name its length.
- Nothing is tried elsewhere once a byte of an answer was passed on, and never what the request itself is to blame for.`

/** The page of both tables. */
export function faultPage(rows: readonly FaultRow[], middle: readonly MiddleRow[]): string {
  const first = table(
    [
      'Fault',
      'Answer',
      'Alone: the client gets',
      'Charged',
      'Rest',
      'Beside a good one: the client gets',
      'Charged',
      'Tried',
    ],
    rows.map(({ fault, stream, alone, rested, beside }) => [
      fault.name,
      stream ? 'streamed' : 'plain',
      gotText(alone.got),
      chargeText(alone.kept),
      restText(rested, fault.waits),
      gotText(beside.got),
      chargeText(beside.kept),
      triedText(beside.kept),
    ]),
  )
  const second = table(
    ['Fault', 'Client', 'Provider', 'The client gets', 'Charged'],
    middle.map(({ fault, client, provider, told }) => [
      fault.name,
      client,
      provider,
      gotText(told.got),
      chargeText(told.kept),
    ]),
  )
  return [TEXT, '## Chat', first, '## In the middle of a stream, in every dialect', second, ''].join('\n\n')
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

function gotText({ status, error, retryAfter, words, isWhole }: Got): string {
  const wait = retryAfter === undefined ? '' : `, Retry-After ${retryAfter}`
  if (isWhole) return `${status}, whole`
  if (status !== 200) return `${status} \`${error}\`${wait}`
  return `${status}, ${words} words, then error \`${error}\``
}

function chargeText({ charged }: Kept): string {
  if (charged === '') return 'nothing'
  const { quota, rule, isEstimated } = charged
  return `${quota}${rule === 'complete' ? '' : ` (\`${rule}\`)`}${isEstimated ? ', counted here' : ''}`
}

function triedText({ attempts }: Kept): string {
  return attempts
    .map(({ status, error }) => (error === '' ? String(status) : `${status === 0 ? '–' : status} \`${error}\``))
    .join(' → ')
}

/** Rests whose length the provider does not name, in seconds, before chance shortens them. */
const FIRST_RESTS = [1, 2, 30]
const WHOSE: Readonly<Record<string, string>> = { account: ', the whole key' }

function restText(rested: Rested | undefined, waits: number | undefined): string {
  if (rested === undefined) return 'none'
  const { cause, seconds, isAtOnce } = rested
  const when = isAtOnce ? 'at once' : cause === 'failing' ? 'after failures in a row' : 'after three in a row'
  return `${restSeconds(seconds, waits)} s, ${when}${WHOSE[cause] ?? ''}`
}

/** Throws for a rest that no rule explains. A date names whole seconds, of a clock that is a little ahead or behind. */
function restSeconds(seconds: number, waits: number | undefined): number {
  if (waits !== undefined && Math.abs(seconds - waits) <= 1.1) return waits
  const rule = FIRST_RESTS.find((each) => seconds > each * 0.74 && seconds < each * 1.05)
  if (rule === undefined) throw new Error(`a rest of ${seconds} s`)
  return rule
}
