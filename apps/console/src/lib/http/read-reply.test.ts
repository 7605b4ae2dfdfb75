import { essential, orList, whenAbsent } from '@sluice/contract/absence'
import { dashboard } from '@sluice/contract/dashboard'
import { systemStatus } from '@sluice/contract/status'
import { token } from '@sluice/contract/token'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { readReply } from './read-reply.ts'

const read = <const S extends v.GenericSchema>(schema: S, value: unknown) => readReply(schema, value)?.value

describe('a reply', { tags: 'B7.1' }, () => {
  it('from a server that knows only the specification has the defaults for our own fields', () => {
    const bare = {
      id: 7,
      name: 'a',
      key: 'sk-1',
      status: 1,
      remain_quota: 5,
      used_quota: 0,
      unlimited_quota: false,
      created_time: 1,
      accessed_time: 2,
      expired_time: -1,
      models: null,
      subnet: null,
    }
    const limits = { rpm: 0, tpm: 0, concurrency: 0, session_quota: 0, repeat_rpm: 0, quiet_hours: null }
    expect(read(token, bare)).toEqual({ ...bare, groups: [], group: '', ...limits, budgets: [] })
  })

  it('keeps what it can read and marks the rest as unknown', () => {
    const found = read(token, { id: '7', name: 5, key: null, status: {}, remain_quota: '500', created_time: 'soon' })
    expect(found).toMatchObject({ id: 7, name: '5', key: '', status: Number.NaN, remain_quota: 500, models: null })
    expect(found?.created_time).toBeNaN()
  })

  it('accepts the fractions of points that older gateways sent', () => {
    expect(read(token, { id: 7, remain_quota: 0.25 })?.remain_quota).toBe(0.25)
    expect(readReply(token, { id: 0.5 })).toBeUndefined()
  })

  it('leaves out fields that the contract does not have', () => {
    expect(read(v.object({ a: v.number() }), { a: 1, b: 2 })).toEqual({ a: 1 })
  })

  it.each([
    [true, true],
    ['true', true],
    [1, true],
    ['1', true],
    ['false', false],
    [0, false],
    ['yes', false],
    [null, false],
  ])('reads the flag %j as %s', (sent, flag) => {
    expect(read(v.object({ flag: v.boolean() }), { flag: sent })).toEqual({ flag })
  })

  it('leaves out of a list what is not a row, or a row without its id', () => {
    const row = v.object({ id: essential(v.number()), name: v.string() })
    expect(read(v.array(row), [{ id: 1, name: 'a' }, null, 'x', 5, [], { name: 'b' }, { id: 2 }])).toEqual([
      { id: 1, name: 'a' },
      { id: 2, name: '' },
    ])
    expect(readReply(row, { name: 'b' })).toBeUndefined()
  })

  it('leaves out items of a kind that this console does not know', () => {
    const rows = v.array(v.object({ kind: v.picklist(['a', 'b']) }))
    expect(read(rows, [{ kind: 'a' }, { kind: 'c' }])).toEqual([{ kind: 'a' }])
    expect(read(v.object({ at: v.optional(v.picklist(['a'])) }), { at: 'c' })).toEqual({})
  })

  it('reads a list that is null as an empty one, and a value that is not an object as nothing', () => {
    expect(read(v.array(v.string()), null)).toEqual([])
    expect(read(v.record(v.string(), v.number()), undefined)).toEqual({})
    expect(readReply(v.object({ a: v.number() }), null)).toBeUndefined()
    expect(readReply(v.object({ a: v.number() }), 'down for maintenance')).toBeUndefined()
  })

  it('has the default for a public setting that is missing or invalid', { tags: 'C9.14' }, () => {
    expect(read(systemStatus, { quota_per_unit: 'many', display_in_currency: null })).toMatchObject({
      system_name: 'One API',
      quota_per_unit: 500_000,
      display_in_currency: true,
      logo: '',
      github_oauth: false,
    })
  })

  it('can be a plain list where the specification allows one', { tags: 'A3.9' }, () => {
    const row = {
      Day: '2026-11-22',
      ModelName: 'm',
      RequestCount: 1,
      Quota: '2',
      PromptTokens: 3,
      CompletionTokens: {},
    }
    expect(read(dashboard, [row])).toMatchObject({
      logs: [{ ...row, Quota: 2, CompletionTokens: 0 }],
      user_logs: [],
      token_logs: [],
    })
    expect(read(orList(v.object({ a: v.array(v.number()) }), 'a'), [1])).toEqual({ a: [1] })
  })

  it('defines the meaning of an absence once, without making a server less strict', () => {
    const schema = v.object({ limit: whenAbsent(v.number(), 0) })
    expect(read(schema, {})).toEqual({ limit: 0 })
    expect(v.is(schema, {})).toBe(false)
  })
})
