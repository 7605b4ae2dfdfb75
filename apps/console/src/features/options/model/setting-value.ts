import { jsonErrorPosition } from '~/ui/form/json-position.ts'
import { groupProblem, groupRowsOf, groupsText } from './group-rows.ts'
import type { Setting } from './setting.ts'

export type EntryProblem =
  | { readonly is: 'empty' | 'address' | 'json-object' | 'groupName' | 'groupRatios' }
  | { readonly is: 'number' | 'integer'; readonly min: number; readonly max: number }
  | { readonly is: 'json'; readonly line: number; readonly column: number }

export type CheckedEntry =
  /** `text` is the entry in the form in which it is stored. */
  { readonly text: string } | { readonly problem: EntryProblem }

const WHOLE = /^-?\d{1,16}$/
const DECIMAL = /^-?\d{1,16}(\.\d{1,12})?$/
const HTTP_ADDRESS = /^https?:\/\/[^\s\\]+$/i

/** The entry as it would be stored, or what is wrong with it. The gateway has the last word. */
export function checkEntry(setting: Setting, entry: string): CheckedEntry {
  switch (setting.kind) {
    case 'integer':
    case 'decimal':
      return checkNumber(setting, entry.trim())
    case 'ratios':
    case 'json':
      return checkJson(entry)
    case 'groups':
      return checkGroups(entry)
    case 'list':
      return {
        text: entry
          .split(/[\s,]+/)
          .filter(Boolean)
          .join(','),
      }
    case 'address':
      return checkAddress(setting, entry.trim())
    case 'text':
      return setting.required === true && entry.trim() === '' ? { problem: { is: 'empty' } } : { text: entry.trim() }
    case 'flag':
    case 'choice':
    case 'page':
    case 'secret':
    case 'shown':
      return { text: entry }
  }
}

function checkNumber({ kind, min, max }: Extract<Setting, { min: number }>, entry: string): CheckedEntry {
  const shape = kind === 'integer' ? WHOLE : DECIMAL
  const value = Number(entry)
  if (!shape.test(entry) || value < min || value > max) {
    return { problem: { is: kind === 'integer' ? 'integer' : 'number', min, max } }
  }
  return { text: String(value) }
}

function checkAddress({ required }: { readonly required?: true }, entry: string): CheckedEntry {
  if (entry === '') return required === true ? { problem: { is: 'empty' } } : { text: '' }
  return HTTP_ADDRESS.test(entry) && URL.canParse(entry) ? { text: entry } : { problem: { is: 'address' } }
}

function checkJson(entry: string): CheckedEntry {
  const broken = jsonErrorPosition(entry)
  if (broken !== undefined) return { problem: { is: 'json', ...broken } }
  const parsed: unknown = JSON.parse(entry)
  const isObject = typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)
  return isObject ? { text: JSON.stringify(parsed) } : { problem: { is: 'json-object' } }
}

function checkGroups(entry: string): CheckedEntry {
  const rows = groupRowsOf(entry)
  const found = groupProblem(rows)
  return found === undefined ? { text: groupsText(rows) } : { problem: found.problem }
}

/** JSON formatted, names with a space between them. */
export function entryOf(setting: Setting, stored: string): string {
  if (setting.kind === 'list') return stored.split(',').join(', ')
  const isJson = setting.kind === 'ratios' || setting.kind === 'json'
  if (!isJson || jsonErrorPosition(stored) !== undefined) return stored
  return JSON.stringify(JSON.parse(stored), undefined, 2)
}

/** An entry that means the same as the stored value is not sent. */
export function isUnchanged(setting: Setting, entry: string, stored: string): boolean {
  if (setting.kind === 'secret') return entry.trim() === ''
  const [now, before] = [checkEntry(setting, entry), checkEntry(setting, stored)]
  if ('text' in now && 'text' in before) return now.text === before.text
  return entry === entryOf(setting, stored)
}

export function isAskedAbout({ asks }: Setting, value: string): boolean {
  return asks === 'always' || (asks === 'on' && value === 'true') || (asks === 'off' && value === 'false')
}
