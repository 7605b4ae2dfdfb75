import { CHANNEL_KIND_CODES } from '@sluice/contract/channel-kinds'
import { type ManagementBench, openManagementBench, type TestCaller } from '@sluice/testkit/management-bench'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

describe('channel types', () => {
  let bench: ManagementBench
  let admin: TestCaller
  beforeAll(async () => {
    bench = await openManagementBench()
    admin = await bench.addCaller('admin', 10)
  })
  afterAll(() => bench.close())

  const ask = <D>(path: string) => bench.ask<D>('GET', path, { as: admin })

  it('return what their form needs', async () => {
    const { data } = await ask<Record<string, unknown>>('/api/channel/metadata?type=1')
    expect(data).toMatchObject({
      default_base_url: 'https://api.openai.com',
      base_url_editable: true,
      servable: true,
      has_balance: true,
    })
    expect(data?.['default_endpoints']).toContain('embeddings')
    expect(data?.['all_endpoints']).toContainEqual({
      id: 1,
      name: 'chat_completions',
      description: 'Chat completions',
      path: '/v1/chat/completions',
    })
    expect(await ask('/api/channel/metadata?type=33')).toMatchObject({
      data: { default_base_url: '', base_url_editable: false, servable: true, has_balance: false },
    })
    expect(await ask('/api/channel/metadata?type=99')).toMatchObject({
      data: { default_base_url: '', base_url_editable: false, servable: false, default_endpoints: [] },
    })
    expect(await ask('/api/channel/metadata')).toMatchObject({ message: 'type: is required.' })
  })

  it('have default prices as JSON strings; the open types have those of every vendor', async () => {
    const pricing = async (type: number) =>
      (await ask<Record<string, string>>(`/api/channel/default-pricing?type=${type}`)).data ?? {}
    const openai = await pricing(1)
    expect(JSON.parse(openai['model_configs'] ?? '')).toMatchObject({ 'gpt-4o': { ratio: 1.25, completion_ratio: 4 } })
    expect(JSON.parse(openai['model_ratio'] ?? '')).toMatchObject({ 'gpt-4o': 1.25 })
    expect(JSON.parse(openai['completion_ratio'] ?? '')).toMatchObject({ 'gpt-4o': 4 })
    expect(openai['tooling']).toBe('{}')
    expect(Object.keys(JSON.parse((await pricing(50))['model_configs'] ?? '') as object)).toEqual(
      expect.arrayContaining(['gpt-4o', 'claude-opus-5']),
    )
    expect(await pricing(99)).toMatchObject({ model_configs: '{}' })
  })

  it('list their models by type, and all of them with the vendor they belong to', async () => {
    const { data: byType } = await ask<Record<string, string[]>>('/api/models')
    expect(Object.keys(byType ?? {})).toHaveLength(CHANNEL_KIND_CODES.length)
    expect(byType?.['1']).toContain('gpt-4o')
    const { data: all } = await ask<{ id: string }[]>('/api/channel/models')
    expect(all).toContainEqual({ id: 'gpt-4o', object: 'model', owned_by: 'OpenAI' })
    const ids = all?.map(({ id }) => id) ?? []
    expect(new Set(ids).size).toBe(ids.length)
  })
})
