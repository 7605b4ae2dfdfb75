import type { Channel } from '@sluice/contract/channel'
import { googleDocument } from '@sluice/testkit/channel-bodies'
import { type ManagementBench, openManagementBench, type TestCaller } from '@sluice/testkit/management-bench'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const ELSEWHERE = 'https://elsewhere.example'
const REFUSED = {
  success: false,
  message: 'key: is required, because the channel would send its key to a different address.',
}

describe('a stored key', () => {
  let bench: ManagementBench
  let root: TestCaller
  let admin: TestCaller
  beforeAll(async () => {
    bench = await openManagementBench()
    root = await bench.addCaller('root', 100)
    admin = await bench.addCaller('admin', 10)
  })
  afterAll(async () => {
    expect(bench.reported).toEqual([])
    await bench.close()
  })

  const made = async (body: object): Promise<number> => {
    const whole = { name: 'c', type: 1, key: 'sk-stored', models: 'm', ...body }
    const reply = await bench.ask<number[]>('POST', '/api/channel/', { as: root, body: whole })
    const [id] = reply.data ?? []
    if (id === undefined) throw new Error(reply.message)
    return id
  }
  const put = (as: TestCaller, body: object) => bench.ask<Channel>('PUT', '/api/channel/', { as, body })
  const row = (id: number) =>
    bench.database.kysely.selectFrom('channel').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const keyOf = async (id: number) => {
    const opened = bench.vault.open('channel_key', (await row(id)).key_sealed)
    return opened.ok ? opened.text : opened.reason
  }

  it.each([
    ['from the address of its type', '', ELSEWHERE],
    ['to another host', 'https://api.example.org', ELSEWHERE],
    ['to another port', 'https://api.example.org', 'https://api.example.org:8443'],
    ['without encryption', 'https://api.example.org', 'http://api.example.org'],
    ['back to the address of its type', ELSEWHERE, ''],
  ])('is not moved %s by an administrator', { tags: ['S5', 'S33'] }, async (_, from, to) => {
    const id = await made({ base_url: from })
    for (const key of [{}, { key: '' }, { key: ' ' }]) {
      expect(await put(admin, { id, base_url: to, ...key })).toMatchObject(REFUSED)
    }
    expect(await row(id)).toMatchObject({ base_url: from })
    expect(await put(admin, { id, base_url: to, key: 'sk-own' })).toMatchObject({ data: { base_url: to } })
    expect(await keyOf(id)).toBe('sk-own')
  })

  it('is not moved by another type of channel', { tags: ['S5', 'S33'] }, async () => {
    const id = await made({})
    expect(await put(admin, { id, type: 4 })).toMatchObject(REFUSED)
    expect((await row(id)).type).toBe(1)
  })

  it('is not moved with one part of it changed', { tags: ['S5', 'S33'] }, async () => {
    const adc = googleDocument()
    const aws = await made({ type: 33, key: 'AK|SK|eu-west-1' })
    const vertex = await made({ type: 42, key: `eu|p|${adc}` })
    for (const body of [
      { id: aws, config: '{"region":"us-east-1"}' },
      { id: aws, config: '{"region":"us-east-1","ak":"OWN"}' },
      { id: aws, config: '{"region":"us-east-1","sk":"OWN"}' },
      { id: vertex, config: '{"region":"us-central1"}' },
    ]) {
      expect(await put(admin, { ...body, base_url: ELSEWHERE })).toMatchObject(REFUSED)
    }
    const config = JSON.stringify({ region: 'us-east-1', ak: 'OWN', sk: 'MINE' })
    expect((await put(admin, { id: aws, base_url: ELSEWHERE, config })).message).toBe('')
    expect(await keyOf(aws)).toBe('OWN|MINE|us-east-1')
  })

  it('that arrived in the clear in a config is not moved either', { tags: ['S5', 'S33'] }, async () => {
    const id = await made({ type: 33, key: 'AK|SK|eu-west-1' })
    const config = '{"region":"eu-west-1","ak":"AK","sk":"SK"}'
    await bench.database.kysely.updateTable('channel').set({ config }).where('id', '=', id).execute()
    expect(await put(admin, { id, base_url: ELSEWHERE })).toMatchObject(REFUSED)
  })

  it('stays where only the path or the spelling of its address changes, and where other fields do', async () => {
    const id = await made({ base_url: 'https://api.example.org' })
    for (const change of [
      { base_url: 'https://api.example.org/v1' },
      { base_url: 'HTTPS://API.EXAMPLE.ORG:443/v1/' },
      { name: 'renamed' },
    ]) {
      expect((await put(admin, { id, ...change })).message).toBe('')
    }
    const plain = await made({})
    expect((await put(admin, { id: plain, base_url: 'https://api.openai.com/v1' })).message).toBe('')
    expect(await keyOf(id)).toBe('sk-stored')
    expect(await keyOf(plain)).toBe('sk-stored')
  })

  it('is moved by root', async () => {
    const id = await made({})
    expect(await put(root, { id, base_url: ELSEWHERE })).toMatchObject({ data: { base_url: ELSEWHERE } })
    expect(await keyOf(id)).toBe('sk-stored')
  })
})
