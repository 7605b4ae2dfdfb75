import type { IMPORT_FAMILIES } from '@sluice/contract/import'
import type { ForeignTable } from '@sluice/store/foreign/foreign-database'
import { describe, expect, it } from 'vitest'
import { typeHere } from './channel-types.ts'
import { recogniseFamily } from './family.ts'

const users = ['id', 'username', 'password', 'role', 'status', 'quota']
const tokens = ['id', 'user_id', 'key', 'status', 'remain_quota', 'unlimited_quota', 'expired_time']
const channels = ['id', 'type', 'key', 'status', 'models']

const database = (more: Readonly<Record<string, readonly string[]>> = {}): ForeignTable[] =>
  Object.entries({ users, tokens, channels }).map(([name, columns]) => ({
    name,
    columns: [...columns, ...(more[name] ?? [])],
  }))

describe('the family of a database', () => {
  it.each([
    ['one-api', {}],
    ['one-api', { users: ['lark_id'], channels: ['config'] }],
    ['laisky', { users: ['totp_secret'] }],
    ['laisky', { channels: ['config', 'model_configs'] }],
    ['new-api', { tokens: ['model_limits'] }],
    ['new-api', { users: ['aff_quota'] }],
    ['new-api', { channels: ['channel_info'] }],
  ])('is %s by the columns %j', (family, more) => {
    expect(recogniseFamily(database(more))).toMatchObject({ family })
  })

  it('is none where a table is missing, which is named', () => {
    const wordpress = [{ name: 'wp_users', columns: ['ID', 'user_login'] }]
    expect(recogniseFamily(wordpress)).toEqual({
      problem: 'This is not a database of One API or its family: it has no table "users".',
    })
    expect(recogniseFamily(database().slice(0, 2))).toEqual({
      problem: 'This is not a database of One API or its family: it has no table "channels".',
    })
  })

  it('is none where a column is missing, which is named', () => {
    const other = database().map((table) => ({ ...table, columns: table.columns.filter((name) => name !== 'quota') }))
    expect(recogniseFamily(other)).toEqual({
      problem: 'This is not a database of One API or its family: "users" has no column "quota".',
    })
  })

  it('is none of an empty database', () => {
    expect(recogniseFamily([])).toHaveProperty('problem')
  })
})

describe('the number of a channel type', () => {
  const NUMBERS = Array.from({ length: 62 }, (_, type) => type)
  const listed = (family: (typeof IMPORT_FAMILIES)[number]) =>
    NUMBERS.map((type) => typeHere(family, type)).map((here, type) => (here === type ? '=' : String(here)))

  it('is the same in One API, up to its last', () => {
    expect(listed('one-api')).toEqual(NUMBERS.map((type) => (type >= 1 && type <= 51 ? '=' : 'reported')))
  })

  it('is the same in the fork of Laisky, with its own from 52 on', () => {
    expect(listed('laisky').slice(1, 52)).toEqual(Array<string>(51).fill('='))
    expect(listed('laisky').slice(52)).toEqual([
      '14',
      'reported',
      '=',
      '=',
      '=',
      '=',
      ...Array<string>(4).fill('reported'),
    ])
  })

  it('is another one in new-api for every type of its own', () => {
    const other = Object.fromEntries(
      NUMBERS.flatMap((type) => {
        const here = typeHere('new-api', type)
        return here === type || here === 'reported' ? [] : [[type, here]]
      }),
    )
    expect(other).toEqual({
      4: 30,
      26: 16,
      27: 61,
      34: 35,
      35: 27,
      38: 59,
      39: 37,
      40: 44,
      41: 42,
      42: 28,
      43: 36,
      45: 40,
      46: 47,
      47: 50,
      48: 45,
      49: 34,
      56: 46,
    })
    expect(NUMBERS.filter((type) => typeHere('new-api', type) === 'reported')).toEqual([
      0, 2, 5, 28, 29, 30, 32, 36, 37, 44, 50, 51, 52, 53, 54, 55, 57, 58, 59, 60, 61,
    ])
  })
})
