import { CHANNEL_BODIES } from '@sluice/testkit/channel-bodies'
import { type ManagementBench, openManagementBench, type TestCaller } from '@sluice/testkit/management-bench'
import { addChannel } from '@sluice/testkit/rows'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { FetchGuarded, GuardedRequest } from '../../outbound/guarded-fetch.ts'
import type { TestedDraft } from './channel-ports.ts'

describe('channels that are not saved', () => {
  let bench: ManagementBench
  let root: TestCaller
  let drafts: TestedDraft[]
  let requested: GuardedRequest[]
  let reply: Awaited<ReturnType<FetchGuarded>>
  beforeEach(async () => {
    requested = []
    drafts = []
    reply = answer(200, { data: [{ id: 'b' }, { id: 'a' }, { id: 'a,b' }, { id: 'a' }] })
    bench = await openManagementBench('sqlite', {
      fetchGuarded: async (request) => {
        requested.push(request)
        return reply
      },
    })
    bench.testDraft = async (draft, model) => {
      drafts.push(draft)
      return { ok: true, model: model ?? 'cheapest', elapsedMs: 250, message: 'four' }
    }
    root = await bench.addCaller('root', 100)
  })
  afterEach(async () => {
    expect(bench.reported).toEqual([])
    await bench.close()
  })

  const post = (path: string, body: object) => bench.ask<string[]>('POST', `/api/channel/${path}`, { as: root, body })
  const DRAFT = { type: 1, key: 'sk-of-the-form', models: 'a,b' }

  it('are tested as they would be saved, and nothing is saved', async () => {
    expect(await post('test', { ...DRAFT, model: 'b' })).toMatchObject({
      status: 200,
      success: true,
      message: 'four',
      time: 0.25,
      modelName: 'b',
    })
    expect(await post('test', { ...DRAFT, model: '' })).toMatchObject({ modelName: 'cheapest' })
    expect(drafts[0]).toMatchObject({ type: 1, key: 'sk-of-the-form', models: ['a', 'b'], baseUrl: '' })
    expect(await bench.database.kysely.selectFrom('channel').selectAll().execute()).toEqual([])
    expect(await bench.database.kysely.selectFrom('log').selectAll().execute()).toEqual([])
  })

  it('can be of every type', async () => {
    for (const body of CHANNEL_BODIES) {
      expect([body.type, await post('test', { ...body, models: 'm' })]).toMatchObject([body.type, { success: true }])
    }
    const aws = drafts.find(({ type }) => type === 33)
    expect(aws).toMatchObject({ key: 'AKIDEXAMPLE|wJalrXUtnFEMI/K7MDENG+bPxRfiCY|us-east-1' })
    expect(aws?.config).not.toContain('AKIDEXAMPLE')
  })

  it('keep the rules of saving', async () => {
    expect(await post('test', { key: 'sk-x' })).toMatchObject({
      success: false,
      message: 'type: Channel type is required.',
    })
    expect(await post('test', { type: 1, models: 'a' })).toMatchObject({ message: 'key: API key is required.' })
    expect(await post('test', { ...DRAFT, type: 3 })).toMatchObject({
      message: 'base_url: Base URL is required for this channel type.',
    })
    expect(await post('test', { ...DRAFT, model: 'c' })).toMatchObject({
      message: 'model: is not one of the models of this channel.',
    })
    expect(await post('test', { id: 999, name: 'x' })).toMatchObject({ code: 'not_found' })
    expect(drafts).toEqual([])
  })

  it('take the key of the stored channel that they change', async () => {
    const id = await addChannel(bench.database.kysely, { type: 1, models: 'a', key_sealed: seal('sk-stored') })
    expect(await post('test', { id, models: 'a,c', model: 'c' })).toMatchObject({ success: true, modelName: 'c' })
    expect(await post('test', { id, key: 'sk-new' })).toMatchObject({ success: true })
    expect(drafts.map(({ key, models }) => [key, models])).toEqual([
      ['sk-stored', ['a', 'c']],
      ['sk-new', ['a']],
    ])
    const lost = await addChannel(bench.database.kysely, { type: 1, key_sealed: 'nothing' })
    expect(await post('test', { id: lost })).toMatchObject({ code: 'channel_key_lost' })
  })

  it('list the models of a stored channel for programs of New API too, and those of all enabled ones', async () => {
    const id = await addChannel(bench.database.kysely, { type: 1, models: 'z,a', key_sealed: seal('sk-stored') })
    await addChannel(bench.database.kysely, { type: 1, models: 'off', status: 2 })
    const get = (path: string, headers = {}) =>
      bench.ask<string[]>('GET', `/api/channel/${path}`, { as: root, headers })
    expect(await get(`fetch_models/${id}`)).toMatchObject({ success: true, data: ['b', 'a'] })
    expect(requested[0]).toMatchObject({ secretHeaders: { authorization: 'Bearer sk-stored' } })
    expect(await get('fetch_models/999')).toMatchObject({ code: 'not_found' })
    expect(await get(`fetch_models/${id}`, { 'sec-fetch-site': 'cross-site' })).toMatchObject({ code: 'cross_site' })
    expect((await get('models_enabled')).data).toEqual(['a', 'z'])
  })

  it('report what failed with its time', async () => {
    bench.testDraft = async () => ({
      ok: false,
      cause: 'provider',
      model: 'm',
      elapsedMs: 30,
      message: 'x'.repeat(900),
    })
    const failed = await post('test', DRAFT)
    expect(failed).toMatchObject({ status: 200, success: false, modelName: 'm', time: 0.03 })
    expect(failed.message).toHaveLength(500)
  })

  it('are tried sixteen at a time', async () => {
    const gate = Promise.withResolvers<void>()
    bench.testDraft = async () => {
      await gate.promise
      return { ok: true, model: 'm', elapsedMs: 1, message: '' }
    }
    const first = Array.from({ length: 16 }, () => post('test', DRAFT))
    let late = undefined as Awaited<ReturnType<typeof post>> | undefined
    while (late?.code !== 'overloaded') {
      late = await Promise.race([
        post('test', DRAFT),
        new Promise<undefined>((done) => setTimeout(() => done(undefined), 50)),
      ])
    }
    expect(late).toMatchObject({ success: false, code: 'overloaded' })
    gate.resolve()
    for (const one of await Promise.all(first)) expect(one.success).toBe(true)
    expect(await post('test', DRAFT)).toMatchObject({ success: true })
  })

  it('list the models of their provider, each once, and none that a list cannot hold', async () => {
    expect(await post('fetch_models', DRAFT)).toMatchObject({ success: true, data: ['b', 'a'] })
    expect(requested[0]).toMatchObject({
      method: 'GET',
      url: 'https://api.openai.com/v1/models',
      secretHeaders: { authorization: 'Bearer sk-of-the-form' },
    })
    reply = answer(401, { error: 'no' })
    expect(await post('fetch_models', DRAFT)).toMatchObject({
      success: false,
      message: 'The models could not be read from the provider: it refused the key.',
    })
    reply = answer(200, [])
    expect((await post('fetch_models', DRAFT)).message).toContain('its answer does not contain a list of models')
    reply = { ok: false, fault: 'refused', reason: 'its address is not allowed' }
    expect((await post('fetch_models', DRAFT)).message).toContain('its address is not allowed')
    expect(await post('fetch_models', { ...DRAFT, type: 38 })).toMatchObject({ code: 'models_unsupported' })
  })

  const seal = (key: string) => bench.vault.seal('channel_key', key)
})

const answer = (status: number, body: object) => ({
  ok: true as const,
  status,
  headers: {},
  body: Buffer.from(JSON.stringify(body)),
})
