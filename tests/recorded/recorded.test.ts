import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openSseParser } from '@sluice/dialects/framing/sse'
import { readReply } from '@sluice/dialects/openai-chat/reply'
import { openChatStream } from '@sluice/dialects/openai-chat/stream/chat-sniffer'
import { USAGE_READERS } from '@sluice/dialects/usage-readers'
import { openUsageStream, type UsageReport, usageOfReply } from '@sluice/dialects/usage/usage-report'
import { charge } from '@sluice/ledger/pricing'
import { pricedUsage, type Quote } from '@sluice/providers/prices/quote'
import { rates } from '@sluice/providers/prices/rates'
import { expect, test } from 'vitest'
import { RECORDED, type Recorded } from './arithmetic.ts'

/** Real provider replies, read, priced and charged as in the relay, and compared with each provider's own arithmetic. */
const FOLDER = import.meta.dirname
const LIST_PRICE = 1_000_000n
/** Some providers charge less at night. */
const NOON = Date.parse('2026-11-21T12:00:00Z')

test.each(RECORDED)('$file is charged as the provider’s price list says', async (recorded) => {
  expect(chargeOf(documented(recorded), await read(recorded))).toBe(mqOf(recorded.charge))
})

test.each(RECORDED.filter(({ book }) => book !== undefined))(
  '$file costs the same by our price book',
  async (recorded) => {
    const [kind, model] = recorded.book ?? [0, '']
    const quote = rates(kind, model, new Map(), NOON)
    if (quote === 'missing') throw new Error(`the book does not know ${model}`)
    expect(chargeOf(quote, await read(recorded))).toBe(mqOf(recorded.charge))
  },
)

test.each(RECORDED.filter(({ reported }) => reported !== undefined))(
  '$file costs what the provider says it did, where that is charged',
  async (recorded) => {
    const quote: Quote = { ...documented(recorded), charges: 'reported' }
    expect(chargeOf(quote, await read(recorded))).toBe(mqOf(recorded.reported ?? 0))
  },
)

test.each(RECORDED)('$file yields what the provider reported, for the receipt', async (recorded) => {
  const { own } = await read(recorded)
  expect(JSON.stringify(own)).toMatch(/tokens|TokenCount|Tokens|seconds|billed_units/u)
})

test.each(RECORDED.filter(({ dialect }) => dialect === 'openai_chat'))(
  '$file is read the same as it passes through, without parsing the answer',
  async (recorded) => {
    const bytes = await readFile(join(FOLDER, recorded.file))
    expect(inPassing(recorded.file, bytes)).toStrictEqual(await read(recorded))
  },
)

function inPassing(file: string, bytes: Buffer): UsageReport | undefined {
  if (file.endsWith('.sse')) {
    const stream = openChatStream({ wantsUsage: true })
    stream.push(bytes)
    return stream.report
  }
  const reply = readReply(bytes)
  return 'invalid' in reply ? undefined : reply.usage
}

test('every recorded reply is charged, and its source is named', async () => {
  const files = (await readdir(FOLDER, { recursive: true })).filter(
    // Agents' requests, whole answers and failures have tests of their own.
    (name) => /\.(?:json|sse)$/u.test(name) && !/^(?:agents|answers|failures)/u.test(name),
  )
  expect(RECORDED.map(({ file }) => file).toSorted()).toStrictEqual(files.toSorted())
  const sources = await readFile(join(FOLDER, 'SOURCES.md'), 'utf8')
  for (const file of files) expect(sources).toContain(`| ${file} |`)
})

test('the source of every recorded answer is named', async () => {
  const answers = join(FOLDER, 'answers')
  const files = (await readdir(answers, { recursive: true })).filter((name) => /\.(?:jsonl?|sse)$/u.test(name))
  const sources = await readFile(join(answers, 'SOURCES.md'), 'utf8')
  expect(files.length).toBeGreaterThan(20)
  for (const file of files) expect(sources).toMatch(new RegExp(`[|,] ${file.replaceAll('.', '\\.')}[ ,]`, 'u'))
})

async function read({ file, dialect }: Recorded): Promise<UsageReport> {
  const reader = USAGE_READERS[dialect]
  const bytes = await readFile(join(FOLDER, file))
  const stream = openUsageStream(reader)
  if (file.endsWith('.sse')) {
    for (const { data } of openSseParser().push(bytes)) if (data !== '[DONE]') stream.see(JSON.parse(data))
  }
  const report = file.endsWith('.sse') ? stream.report() : usageOfReply(reader, JSON.parse(bytes.toString()))
  if (report === undefined) throw new Error(`${file} has no usage`)
  return report
}

function chargeOf(quote: Quote, { counts, reportedNanoUsd }: UsageReport): bigint {
  if (counts === undefined) throw new Error('nothing was counted')
  const priced = pricedUsage(quote, counts, reportedNanoUsd)
  return charge(priced.counts, { rates: priced.rates, groupRatio: LIST_PRICE, source: priced.source })
}

/** The documented prices as a quote. A millionth of a dollar is half a quota point. */
function documented({ price }: Recorded): Quote {
  const rate = (microDollars = 0): bigint => BigInt(Math.round(microDollars * 1_000_000)) * 500n
  const { input, cachedInput, cacheWrite5m, cacheWrite1h, output, ...units } = price
  return {
    rates: {
      input: rate(input),
      cachedInput: rate(cachedInput ?? input),
      cacheWrite5m: rate(cacheWrite5m ?? input),
      cacheWrite1h: rate(cacheWrite1h ?? input),
      output: rate(output),
      units: Object.fromEntries(Object.entries(units).map(([name, value]) => [name, rate(value)])),
    },
    tiers: [],
    maxOutput: undefined,
    context: undefined,
    source: 'documented',
  }
}

/** A millionth of a dollar is 500 mq; the charge is rounded up. */
function mqOf(microDollars: number): bigint {
  const millionths = BigInt(Math.round(microDollars * 1_000_000)) * 500n
  return (millionths + 999_999n) / 1_000_000n
}
