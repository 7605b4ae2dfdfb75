import { openOwnKey } from '@sluice/store/own-key-seal'
import { type ManagementBench, openManagementBench, type TestCaller } from '@sluice/testkit/management-bench'
import { addChannel } from '@sluice/testkit/rows'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

/** Occurs nowhere else; every key in these tests contains it. */
const CANARY = 'c4n4rYc4n4rYc4n4rY'
const KEY = `sk-proj-${CANARY}`
const PATH = '/api/user/own_keys'

interface Shown {
  readonly keys: readonly { readonly id: number; readonly fingerprint: string }[]
  readonly vendors: readonly string[]
}

describe('own keys of providers', { tags: 'S1' }, () => {
  let bench: ManagementBench
  let ann: TestCaller
  let bob: TestCaller
  const replies: unknown[] = []
  beforeAll(async () => {
    bench = await openManagementBench()
    ann = await bench.addCaller('ann', 1)
    bob = await bench.addCaller('bob', 1)
  })
  afterAll(async () => {
    expect(bench.reported).toEqual([])
    await bench.close()
  })

  const ask = async <D>(method: string, path: string, as: TestCaller, body?: object, language = '') => {
    const reply = await bench.ask<D>(method, path, {
      as,
      ...(body === undefined ? {} : { body }),
      headers: { 'accept-language': language },
    })
    replies.push(reply)
    return reply
  }
  const put = (as: TestCaller, body: object, language = '') => ask('PUT', PATH, as, body, language)
  const list = async (as: TestCaller) => (await ask<Shown>('GET', PATH, as)).data

  it('are stored sealed, and shown by their fingerprints to their owner alone', async () => {
    const stored = await put(ann, { vendor: 'OpenAI', key: ` ${KEY} `, label: 'mine' })
    const shown = {
      id: 1,
      vendor: 'OpenAI',
      label: 'mine',
      fingerprint: expect.stringMatching(/^[0-9a-f]{12}$/),
      fallback: false,
      created_at: Math.floor(bench.clock.now / 1_000),
    }
    expect(stored).toMatchObject({ success: true, data: shown })
    expect(await list(ann)).toEqual({ keys: [shown], vendors: [] })
    expect(await list(bob)).toEqual({ keys: [], vendors: [] })
    const row = await bench.database.kysely.selectFrom('own_key').selectAll().executeTakeFirstOrThrow()
    expect(row.key_sealed).toMatch(/^v1\./)
    expect(openOwnKey(bench.vault, { userId: ann.id, vendor: 'OpenAI' }, row.key_sealed)).toBe(KEY)
  })

  it('name the vendors whose keys some channel takes', async () => {
    const { kysely } = bench.database
    const caller = '{"credentials":"caller"}'
    await addChannel(kysely, { type: 14, config: caller })
    await addChannel(kysely, { type: 1, config: '{"credentials":"own"}' })
    await addChannel(kysely, { type: 20, config: caller, status: 2 })
    await addChannel(kysely, { type: 50, config: caller })
    expect((await list(bob))?.vendors).toEqual(['Anthropic'])
  })

  it('are replaced by another of the same vendor, and keep the key when only settings change', async () => {
    const before = (await list(ann))?.keys[0]
    expect(await put(ann, { vendor: 'OpenAI', label: 'new', fallback: true })).toMatchObject({
      data: { ...before, label: 'new', fallback: true },
    })
    await put(ann, { vendor: 'OpenAI', key: `${KEY}-2` })
    const after = (await list(ann))?.keys
    expect(after).toMatchObject([{ id: before?.id, label: '', fallback: false }])
    expect(after?.[0]?.fingerprint).not.toBe(before?.fingerprint)
  })

  it.each([
    [{ vendor: 'OpenAI', key: 'short' }, 'key: must be at least 8 characters', '至少 8 个字符'],
    [{ vendor: 'OpenAI', key: `${CANARY} ${CANARY}` }, 'key: must be printable ASCII', '可打印'],
    [{ vendor: 'OpenAI', key: `${CANARY}\u0000` }, 'NUL', 'NUL'],
    [{ vendor: 'OpenAI', key: `${CANARY}\u0007` }, 'key: must be printable ASCII', '可打印'],
    [{ vendor: 'OpenAI', key: CANARY.repeat(500) }, 'key: is limited to 8192 characters', '最多 8192 个字符'],
    [{ vendor: 'OpenAI', key: `sk-ant-${CANARY}` }, 'key: is a key of Anthropic', '是 Anthropic 的密钥'],
    [{ vendor: 'Anthropic' }, 'key: is required', '为必填项'],
    [{ vendor: 'Azure', key: KEY }, 'vendor: must be one of OpenAI, ', '必须是以下之一'],
    [{ vendor: 'OpenAI', key: KEY, label: 'x'.repeat(65) }, 'label: is limited to 64', '最多 64 个字符'],
    [{ vendor: 'OpenAI', key: KEY, label: 'a\u001bb' }, 'label: must not contain control', '控制字符'],
  ])('are refused by name of field and rule: case %#', async (body, english, chinese) => {
    const count = await bench.database.kysely.selectFrom('own_key').selectAll().execute()
    const refused = await put(ann, body)
    expect(refused).toMatchObject({ success: false, message: expect.stringContaining(english) })
    expect((await put(ann, body, 'zh-CN')).message).toContain(chinese)
    expect(await bench.database.kysely.selectFrom('own_key').selectAll().execute()).toEqual(count)
  })

  it('are never a key of this gateway, whoever it belongs to', async () => {
    const { data } = await bench.ask<{ id: number; key: string }>('POST', '/api/token/', {
      as: bob,
      body: { name: 'b' },
    })
    for (const key of [data?.key, `sk-${data?.key.replace(/^sk-/, '')}`, `${data?.key}-7`]) {
      expect(await put(ann, { vendor: 'DeepSeek', key })).toMatchObject({
        message: expect.stringContaining('is a key of this gateway'),
      })
    }
  })

  it('are stored by the owner of the account, not by the holder of an old session', async () => {
    const before = (await list(ann))?.keys
    bench.clock.now += 601_000
    try {
      const required = { success: false, code: 'step_up_required', data: { sign_in_required: true } }
      expect(await put(ann, { vendor: 'OpenAI', key: `${KEY}-of-a-thief` })).toMatchObject(required)
      expect(await put(ann, { vendor: 'Anthropic', key: `sk-ant-${CANARY}` })).toMatchObject(required)
      expect((await list(ann))?.keys).toEqual(before)
      expect(await put(ann, { vendor: 'OpenAI', label: 'later' })).toMatchObject({ success: true })
      expect(await put(ann, { vendor: 'OpenAI', label: 'later', fallback: true })).toMatchObject(required)
      expect((await list(ann))?.keys).toMatchObject([{ label: 'later', fallback: false }])
    } finally {
      bench.clock.now -= 601_000
    }
  })

  it('are removed by their owner', { tags: 'S11' }, async () => {
    const id = (await list(ann))?.keys[0]?.id
    expect(await ask('DELETE', `${PATH}/${id}`, bob)).toMatchObject({ success: false, code: 'not_found' })
    expect(await ask('DELETE', `${PATH}/${id}`, ann)).toMatchObject({ success: true })
    expect((await list(ann))?.keys).toEqual([])
  })

  it('can be changed 30 times an hour', { tags: 'S28' }, async () => {
    const eve = await bench.addCaller('eve', 1)
    for (let change = 0; change < 30; change++) {
      expect((await put(eve, { vendor: 'Groq', key: `gsk_${CANARY}` })).status).toBe(200)
    }
    expect(await put(eve, { vendor: 'Groq', key: `gsk_${CANARY}` })).toMatchObject({ code: 'login_throttled' })
    expect(await ask('DELETE', `${PATH}/99`, eve)).toMatchObject({ code: 'login_throttled' })
  })

  it('are in no reply, no audit entry and no column in the clear', { tags: 'S20' }, async () => {
    const { kysely } = bench.database
    const admin = await bench.addCaller('admin', 10)
    await put(admin, { vendor: 'OpenAI', key: KEY, label: 'mine' })
    const entries = await kysely.selectFrom('audit').selectAll().execute()
    expect(entries.map(({ after_values: after }) => after).join()).toMatch(/"own_keys":"OpenAI [0-9a-f]{12} mine"/)
    expect(JSON.stringify(entries)).not.toContain(CANARY)
    expect(JSON.stringify(replies)).not.toContain(CANARY)
    expect(JSON.stringify(await kysely.selectFrom('own_key').selectAll().execute())).not.toContain(CANARY)
  })
})
