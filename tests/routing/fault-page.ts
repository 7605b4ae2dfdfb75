import type { Got } from './client.ts'
import type { FaultRow, MiddleRow, Rested } from './fault-rows.ts'
import type { Kept } from './matrix-world.ts'

const TEXT = `# Faults of providers

What a client sees, what is charged, and which cooldown a channel gets, for each way in which a provider can fail. Every line was measured with a
real gateway and an emulated provider in \`tests/routing/fault-matrix.test.ts\`, which writes this page and fails when it is stale
(\`npx vitest run --project product tests/routing/fault-matrix.test.ts -u\` rewrites it). RetryTimes is 1; silence ends a call after
\`SLUICE_FIRST_BYTE_TIMEOUT\` and \`SLUICE_IDLE_TIMEOUT\`.

- **Alone**: the failing channel is the only one. **Beside a good one**: a channel of lower priority has the model too.
- A request costs 1 quota per token of its prompt and 2 per token of its answer. "counted here": the provider did not say how many tokens
  had arrived, so they were counted.
- **Cooldown**: what goes into a cooldown, and its first length; it doubles when the trial after it fails ([decision 40](../decisions/0040-cooldowns-and-gradual-return.md)). If the provider
  requests it: the model of the channel with that key. A refused key: all its models. Failures: the model of the channel with all its keys.
  "Failures in a row" are ten, or five over more than a second. A cooldown ends up to a quarter sooner, at random, unless the
  provider named its length.
- A call is not tried elsewhere once a byte of its answer was passed on, or if the request itself caused the failure.`

export function faultPage(rows: readonly FaultRow[], middle: readonly MiddleRow[]): string {
  const first = table(
    [
      'Fault',
      'Answer',
      'Alone: the client gets',
      'Charged',
      'Cooldown',
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
    middle.map(({ fault, client, provider, outcome }) => [
      fault.name,
      client,
      provider,
      gotText(outcome.got),
      chargeText(outcome.kept),
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

/** Default cooldowns for providers that state none, in seconds, before random shortening. */
const FIRST_RESTS = [1, 2, 30]
const WHOSE: Readonly<Record<string, string>> = { account: ', the whole key' }

function restText(rested: Rested | undefined, waits: number | undefined): string {
  if (rested === undefined) return 'none'
  const { cause, seconds, isAtOnce } = rested
  const when = isAtOnce ? 'at once' : cause === 'failing' ? 'after failures in a row' : 'after three in a row'
  return `${restSeconds(seconds, waits)} s, ${when}${WHOSE[cause] ?? ''}`
}

/** Throws for a cooldown that no rule explains. Dates have whole seconds, of a clock that is a little ahead or behind. */
function restSeconds(seconds: number, waits: number | undefined): number {
  if (waits !== undefined && Math.abs(seconds - waits) <= 1.1) return waits
  const rule = FIRST_RESTS.find((each) => seconds > each * 0.74 && seconds < each * 1.05)
  if (rule === undefined) throw new Error(`a cooldown of ${seconds} s`)
  return rule
}
