import { expect, test } from 'vitest'
import { type Quote, quoteForTools } from '../prices/quote.ts'
import { barredTool, readTooling } from './tooling.ts'

const tool = (name: string) => ({ name, field: 'tools[0]' })
const QUOTE: Quote = {
  rates: { input: 1n, cachedInput: 1n, cacheWrite5m: 1n, cacheWrite1h: 1n, output: 1n, units: { search: 7n } },
  tiers: [],
  maxOutput: undefined,
  context: undefined,
  source: 'book:1',
}

test.each([undefined, null, {}, { whitelist: [], pricing: {} }, { whitelist: 'web_search' }, []])(
  'empty settings count as none: %j',
  (value) => {
    expect(readTooling(value)).toBeUndefined()
  },
)

test('a whitelist names tools as any vendor does; without one every tool is allowed', () => {
  const tooling = readTooling({ whitelist: ['googleSearch', 'code_execution_20250825'] })
  if (tooling === undefined) throw new Error('no settings')
  expect(barredTool(tooling, [tool('web_search'), tool('code_execution')])).toBeUndefined()
  expect(barredTool(tooling, [tool('web_search'), tool('mcp')])).toEqual(tool('mcp'))
  const priced = readTooling({ pricing: { mcp: { quota_per_call: 1 } } })
  expect(priced && barredTool(priced, [tool('of_tomorrow')])).toBeUndefined()
})

test('a channel’s prices of tools replace those of the list, for the requested tools', () => {
  const pricing = { web_search: { usd_per_call: 0.01 }, file_search: { quota_per_call: 3 }, mcp: { quota_per_call: 5 } }
  const tooling = readTooling({ pricing })
  if (tooling === undefined) throw new Error('no settings')
  const units = (...names: string[]) => quoteForTools(QUOTE, tooling, names.map(tool)).rates.units
  expect(units('web_search')).toEqual({ search: 5_000_000_000_000n })
  expect(units('file_search')).toEqual({ search: 7n, tool_call: 3_000_000_000n })
  expect(units('file_search', 'mcp')).toEqual({ search: 7n, tool_call: 5_000_000_000n })
  expect(quoteForTools(QUOTE, tooling, [tool('code_execution')])).toBe(QUOTE)
  expect(quoteForTools(QUOTE, tooling, [tool('mcp')]).heldForTools).toBe(25_000_000_000n)
})
