import { LOG_TYPE } from '@sluice/contract/log'
import { LOG_TYPE_NAMES, logTypeName } from '../log-type.ts'
import type { LogFilters } from './log-window.ts'

/** Words before the colon of a typed filter, the same in every language, so that a line can be shared. */
export const TERM_KEYS = ['model', 'token', 'user', 'channel', 'type', 'last'] as const
export type TermKey = (typeof TERM_KEYS)[number]

/** Only users who see everyone's rows can filter by these. */
export const KEYS_OF_ALL: ReadonlySet<TermKey> = new Set(['user', 'channel'])

export interface Term {
  readonly key: TermKey
  readonly value: string
}

export const LAST_CHOICES = ['15m', '1h', '6h', '24h', '7d', '30d'] as const

/** `time` means both ends of the window. */
export interface Chip {
  readonly key: Exclude<TermKey, 'last'> | 'session' | 'time'
  readonly value: string
}

/** Only conditions that differ from their default, in the order of the form. */
export function chipsOf(filters: LogFilters, seesAll: boolean, window: string): readonly Chip[] {
  const { type, model, token, username, channel, session, start, end } = filters
  const chips: readonly Chip[] = [
    { key: 'type', value: logTypeName(type) ?? '' },
    { key: 'model', value: model },
    { key: 'token', value: token },
    { key: 'user', value: seesAll ? username : '' },
    { key: 'channel', value: seesAll && channel !== undefined ? String(channel) : '' },
    { key: 'session', value: session },
    { key: 'time', value: start === undefined && end === undefined ? '' : window },
  ]
  return chips.filter(({ value }) => value !== '')
}

export function withoutChip(filters: LogFilters, key: Chip['key']): LogFilters {
  switch (key) {
    case 'type':
      return { ...filters, type: LOG_TYPE.all }
    case 'channel':
      return { ...filters, channel: undefined }
    case 'time':
      return { ...filters, start: undefined, end: undefined }
    case 'user':
      return { ...filters, username: '' }
    default:
      return { ...filters, [key]: '' }
  }
}

/** `undefined` when the typed value is meaningless. `now` in unix milliseconds. */
export function withTerm(filters: LogFilters, { key, value }: Term, now: number): LogFilters | undefined {
  if (value === '') return undefined
  switch (key) {
    case 'type': {
      const name = LOG_TYPE_NAMES.find((each) => each === value.toLowerCase())
      return name === undefined ? undefined : { ...filters, type: LOG_TYPE[name] }
    }
    case 'channel': {
      const channel = /^#?[1-9]\d{0,8}$/.test(value) ? Number(value.replace('#', '')) : undefined
      return channel === undefined ? undefined : { ...filters, channel }
    }
    case 'last': {
      const seconds = secondsOf(value)
      const start = Math.floor(now / 1_000) - (seconds ?? 0)
      return seconds === undefined || start < 0 ? undefined : { ...filters, start, end: undefined }
    }
    case 'user':
      return { ...filters, username: value }
    default:
      return { ...filters, [key]: value }
  }
}

const UNIT_SECONDS: Readonly<Record<string, number>> = { m: 60, h: 3_600, d: 86_400 }

/** `15m`, `6h`, `30d` in seconds. */
function secondsOf(text: string): number | undefined {
  const [, count, unit = ''] = /^(\d{1,4})([mhd])$/.exec(text) ?? []
  const seconds = UNIT_SECONDS[unit]
  return count === undefined || seconds === undefined || Number(count) === 0 ? undefined : Number(count) * seconds
}

/** A value with spaces is in double quotes; `words` are what is not a term. */
export function parseTerms(text: string): { readonly terms: readonly Term[]; readonly words: string } {
  const terms: Term[] = []
  const words: string[] = []
  for (const [whole, key = '', quoted, bare] of text.matchAll(/(?:([a-z]+):)?(?:"([^"]*)"?|(\S+))/gi)) {
    const known = TERM_KEYS.find((each) => each === key.toLowerCase())
    const value = quoted ?? bare ?? ''
    if (known === undefined) words.push(whole)
    else terms.push({ key: known, value })
  }
  return { terms, words: words.join(' ') }
}

/** The value of a key, or the beginning of a key, at the end of a line. `before` is the text ahead of it. */
export function typedLast(text: string): {
  readonly key: TermKey | undefined
  readonly value: string
  readonly before: string
} {
  const [, before = '', key, quoted, bare = ''] =
    /^(.*?)(?:(?<=^|\s)([a-z]+):)?(?:"([^"]*)|((?<=^|\s|:)[^\s"]*))$/is.exec(text) ?? []
  const known = TERM_KEYS.find((each) => each === key?.toLowerCase())
  if (key !== undefined && known === undefined) return { key: undefined, value: `${key}:${quoted ?? bare}`, before }
  return { key: known, value: quoted ?? bare, before }
}

export function termText({ key, value }: Term): string {
  return /\s/.test(value) ? `${key}:"${value}"` : `${key}:${value}`
}
