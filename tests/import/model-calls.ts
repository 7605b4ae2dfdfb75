import { listLogs } from '@sluice/contract/routes/logs'
import { type Emulator, startEmulator } from '@sluice/testkit/emulator/server'
import type { ManagementClient } from '@sluice/testkit/management-client'
import OpenAI from 'openai'
import { expect } from 'vitest'
import type { Fixture, FixtureName, FixtureToken } from './fixture.ts'

/** Address of the fixtures' channels: below the ephemeral ports. */
const EMULATOR_PORT = 18_420

export async function startFixtureProvider(): Promise<Emulator> {
  try {
    return await startEmulator(EMULATOR_PORT)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new Error(
      `The channels of the fixtures point at port ${EMULATOR_PORT} of this machine, which cannot be used: ${why}`,
      { cause: error },
    )
  }
}

/** What a fixture's key does at the source, and must do here. */
export interface KnownCall {
  readonly user: string
  readonly token: string
  readonly model: string
  /** The channel's keys, one of which must arrive at the provider. */
  readonly reaches: readonly string[]
  /** The model's name at the provider, which is charged. */
  readonly as: string
  readonly group: number
}

const NEW_API: readonly FixtureName[] = ['new-api-2025', 'new-api']

/** Without channels that an import switches off because they need something that it cannot store. */
export function knownCalls(family: FixtureName): readonly KnownCall[] {
  const isNewApi = NEW_API.includes(family)
  const first = ['sk-upstream-1']
  // Two of three keys: one was switched off by hand.
  const forVip = family === 'new-api' ? ['sk-upstream-m1', 'sk-upstream-m3'] : first
  // Only the newest program has ratios of one group for users of another.
  const [vip, vipInDefault, svipInVip] = family === 'new-api' ? [0.75, 0.9, 0.6] : [0.8, 1, 0.8]
  const calls: readonly Omit<KnownCall, 'as'>[] = [
    { user: 'alice', token: 'laptop', model: 'gpt-4o-mini', reaches: first, group: 1 },
    { user: 'alice', token: 'limited 有限', model: 'house-large', reaches: first, group: 1 },
    { user: 'alice', token: 'mini only', model: 'gpt-4o-mini', reaches: first, group: 1 },
    { user: 'alice', token: 'until 2040', model: 'o3-mini', reaches: first, group: 1 },
    { user: 'bob', token: 'default key', model: 'gpt-4.1', reaches: first, group: vip },
    { user: 'chen', token: '主力 🐟', model: 'house-mini', reaches: ['sk-upstream-3'], group: 0.65 },
    { user: 'ivan', token: 'both limits', model: 'gpt-4o-mini', reaches: forVip, group: vip },
    { user: 'judy', token: 'j', model: 'gpt-4o-mini', reaches: first, group: 1 },
    { user: 'keeper', token: 'admin key', model: 'gpt-4o', reaches: first, group: 1 },
  ]
  const team = { user: 'dora', token: 'team', model: 'gpt-4o-mini', reaches: ['sk-upstream-55'], group: 1.25 }
  const grouped = [
    { user: 'bob', token: 'group default', model: 'gpt-4o-mini', reaches: first, group: vipInDefault },
    { user: 'chen', token: 'group vip', model: 'gpt-4o-mini', reaches: forVip, group: svipInVip },
    { user: 'alice', token: 'group vip', model: 'gpt-4o-mini', reaches: forVip, group: 0.8 },
  ]
  const auto = { user: 'alice', token: 'auto group', model: 'gpt-4o-mini', reaches: first, group: 1 }
  const more = family === 'new-api' ? [...grouped, auto] : isNewApi ? grouped : [team]
  const names: Readonly<Record<string, string>> = {
    'house-large': 'gpt-4o',
    'o3-mini': 'emu-cached',
    'house-mini': 'emu-fast',
  }
  return [...calls, ...more].map((call) => ({ ...call, as: names[call.model] ?? call.model }))
}

/** Quota points per prompt, cached and answer token, according to the source's settings. */
const PRICES: Readonly<Record<string, readonly [prompt: number, cached: number, answer: number]>> = {
  'gpt-4o-mini': [0.075, 0.075, 0.3],
  'gpt-4o': [1.25, 1.25, 5],
  'gpt-4.1': [1, 1, 4],
  'emu-cached': [0.55, 0.55, 2.2],
  'emu-fast': [0.2, 0.2, 0.2],
}
const PRICES_OF_LAISKY: typeof PRICES = {
  ...PRICES,
  'gpt-4.1': [1.1, 1.1, 3.85],
  'emu-cached': [0.55, 0.275, 2.2],
  'emu-fast': [0.2, 0.2, 0.5],
}

export interface AnsweredCall extends KnownCall {
  readonly usage: OpenAI.CompletionUsage
  readonly requestId: string
}

/** Unrounded quota points that a call costs at the source. */
export function chargeOf(family: FixtureName, { as, group, usage }: AnsweredCall): number {
  const price = (family === 'laisky' ? PRICES_OF_LAISKY : PRICES)[as]
  if (price === undefined) throw new Error(`no price of ${as}`)
  const cached = usage.prompt_tokens_details?.cached_tokens ?? 0
  const [prompt, ofCache, answer] = price
  return ((usage.prompt_tokens - cached) * prompt + cached * ofCache + usage.completion_tokens * answer) * group
}

export function tokenOf({ tokens }: Fixture, token: string, user?: string): FixtureToken {
  const found = tokens.find(({ name, username }) => name === token && (user === undefined || username === user))
  if (found === undefined) throw new Error(`the fixture has no token ${token}`)
  return found
}

export const clientOf = (url: string, { key }: FixtureToken): OpenAI =>
  new OpenAI({ apiKey: key, baseURL: `${url}/v1`, maxRetries: 0 })

/** Calls a model with OpenAI's SDK, whole and streamed, and checks what reached the provider. */
export async function callTwice(
  { url, fixture, emulator }: { readonly url: string; readonly fixture: Fixture; readonly emulator: Emulator },
  call: KnownCall,
): Promise<readonly AnsweredCall[]> {
  const openai = clientOf(url, tokenOf(fixture, call.token, call.user))
  const mark = `of ${call.user}'s ${call.token} at ${url}`
  const messages = [{ role: 'user' as const, content: `How does a lock fill? ${mark}` }]
  const { model } = call
  const [whole, streamed] = await Promise.all([
    openai.chat.completions.create({ model, messages }).withResponse(),
    openai.chat.completions
      .create({ model, messages, stream: true, stream_options: { include_usage: true } })
      .withResponse(),
  ])
  let text = ''
  let usage = whole.data.usage
  for await (const chunk of streamed.data) {
    text += chunk.choices[0]?.delta.content ?? ''
    usage = chunk.usage ?? usage
  }
  expect(text, mark).toBe(whole.data.choices[0]?.message.content)
  const arrived = emulator.journal.calls.filter(({ body }) => body.includes(mark))
  expect(arrived, mark).toHaveLength(2)
  for (const { headers, body } of arrived) {
    expect(call.reaches.map((key) => `Bearer ${key}`)).toContain(headers['authorization'])
    expect(JSON.parse(body), mark).toMatchObject({ model: call.as })
  }
  return [whole, streamed].map(({ data, response }) => ({
    ...call,
    usage: ('usage' in data ? data.usage : usage) ?? { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 },
    requestId: response.headers.get('x-oneapi-request-id') ?? '',
  }))
}

/** The logged cost of each call, in quota points, once all are there. */
export async function loggedCharges(root: ManagementClient, calls: number): Promise<ReadonlyMap<string, number>> {
  const list = () => root.call(listLogs, { query: { type: '2', size: '100' } })
  await expect.poll(async () => (await list()).length).toBe(calls)
  return new Map((await list()).map((row) => [row.request_id, Number(row.quota_exact ?? row.quota)]))
}
