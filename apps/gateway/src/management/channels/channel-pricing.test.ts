import { type ManagementBench, openManagementBench, type TestCaller } from '@sluice/testkit/management-bench'
import { addChannel } from '@sluice/testkit/rows'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

describe('prices of a channel', () => {
  let bench: ManagementBench
  let admin: TestCaller
  let id: number
  beforeAll(async () => {
    bench = await openManagementBench()
    admin = await bench.addCaller('admin', 10)
  })
  beforeEach(async () => {
    const model_configs = '{"a":{"ratio":1,"completion_ratio":2},"b":{"max_tokens":9}}'
    id = await addChannel(bench.database.kysely, { model_configs, config: '{"api_format":"response"}' })
  })
  afterAll(async () => {
    expect(bench.reported).toEqual([])
    await bench.close()
  })

  const read = () => bench.ask<Record<string, string>>('GET', `/api/channel/pricing/${id}`, { as: admin })
  const write = (body: object) =>
    bench.ask<Record<string, string>>('PUT', `/api/channel/pricing/${id}`, { as: admin, body })
  const stored = () =>
    bench.database.kysely
      .selectFrom('channel')
      .select(['model_configs', 'config'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()

  it('are shown as JSON strings', async () => {
    expect((await read()).data).toEqual({
      model_ratio: '{"a":1}',
      completion_ratio: '{"a":2}',
      model_configs: '{"a":{"ratio":1,"completion_ratio":2},"b":{"max_tokens":9}}',
      tooling: '{}',
    })
    expect(await bench.ask('GET', '/api/channel/pricing/999', { as: admin })).toMatchObject({ code: 'not_found' })
  })

  it('come back as they went out', async () => {
    const before = await stored()
    await write((await read()).data ?? {})
    expect(await stored()).toEqual(before)
  })

  it('are set by model, as text or as object, and cleared by null', async () => {
    await write({ model_configs: '{"c":{"ratio":0.5}}' })
    expect((await read()).data).toMatchObject({ model_configs: '{"c":{"ratio":0.5}}', model_ratio: '{"c":0.5}' })
    await write({ model_configs: { d: { ratio: 3 } } })
    expect((await read()).data).toMatchObject({ model_configs: '{"d":{"ratio":3}}' })
    expect((await write({ model_configs: null })).data).toMatchObject({ model_configs: '{}' })
    expect((await stored()).model_configs).toBeNull()
  })

  it('are set by the two older tables when nothing newer is given', async () => {
    await write({ model_ratio: { a: 5, c: 6 }, completion_ratio: '{}' })
    expect(JSON.parse((await read()).data?.['model_configs'] ?? '')).toEqual({
      a: { ratio: 5 },
      b: { max_tokens: 9 },
      c: { ratio: 6 },
    })
    await write({ model_configs: '{"a":{"ratio":7}}', model_ratio: '{"a":1}' })
    expect((await read()).data?.['model_ratio']).toBe('{"a":7}')
  })

  it('include tools, which are in the config next to the other members', async () => {
    const tooling = { whitelist: ['web_search'], pricing: { web_search: { usd_per_call: 0.01 } } }
    await write({ tooling })
    expect(JSON.parse((await read()).data?.['tooling'] ?? '')).toEqual(tooling)
    expect(JSON.parse((await stored()).config)).toEqual({ api_format: 'response', tooling })
    await write({ tooling: '' })
    expect(await stored()).toMatchObject({ config: '{"api_format":"response"}' })
  })

  it.each([
    [{ model_configs: '[]' }, 'model_configs: Model configs must be a JSON object.'],
    [{ model_configs: { a: { ratio: -1 } } }, 'model_configs: Invalid ratio for model "a".'],
    [{ model_ratio: '[1]' }, 'model_ratio: Invalid JSON format.'],
    [{ model_ratio: { ' ': 1 } }, 'model_configs: Model name cannot be empty.'],
    [{ model_ratio: { a: 1e9 } }, 'model_configs: Invalid ratio for model "a": must be a number from 0 to 1000000.'],
    [{ tooling: 'x' }, 'tooling: Invalid JSON format.'],
    [{ tooling: { tools: [1] } }, 'tooling: "tools" is not a field; the fields are whitelist and pricing.'],
  ])('are refused as %j', async (body, message) => {
    const before = await stored()
    expect(await write(body)).toMatchObject({ success: false, code: 'invalid_body', message })
    expect(await stored()).toEqual(before)
  })

  it('never show what else was in the config', { tags: 'S20' }, async () => {
    await bench.database.kysely.updateTable('channel').set({ config: '{"sk":"canary","region":"eu"}' }).execute()
    const replies = [await read(), await write({ tooling: { whitelist: ['x'] } }), await read()]
    expect(JSON.stringify(replies)).not.toContain('canary')
    expect((await stored()).config).not.toContain('canary')
  })
})
