import { OPTION_DEFINITIONS, type OptionDefinition, type OptionKey } from '@sluice/store/options/option-definitions'

/** The options that a file can contain, and the form of each in the file. */

/** Options that the gateway sets itself, or that are part of `Groups`. */
const NOT_IN_FILES: readonly OptionKey[] = ['LogClearedBefore', 'GroupRatio']

export function isConfigurable(key: OptionKey): boolean {
  return !NOT_IN_FILES.includes(key)
}

type Form = 'flag' | 'number' | 'list' | 'object' | 'secret' | 'text'

export function formOf(key: OptionKey): Form {
  const { type }: OptionDefinition = OPTION_DEFINITIONS[key]
  switch (type) {
    case 'flag':
    case 'list':
    case 'secret':
      return type
    case 'integer':
    case 'decimal':
      return 'number'
    case 'ratios':
    case 'groups':
    case 'fallbacks':
    case 'limits':
    case 'prices':
      return 'object'
    case 'text':
    case 'choice':
    case 'address':
      return 'text'
  }
}

/** Converts the value in a file to the text of the setting, or returns the broken rule. Not for secrets. */
export function optionTextOf(key: OptionKey, value: unknown): { readonly text: string } | { readonly rule: string } {
  switch (formOf(key)) {
    case 'flag':
      return typeof value === 'boolean' ? { text: String(value) } : { rule: 'must be true or false' }
    case 'number':
      return typeof value === 'number' && Number.isFinite(value)
        ? { text: plainNumber(value) }
        : { rule: 'must be a number' }
    case 'list':
      return isNames(value) ? { text: value.join(',') } : { rule: 'must be a list of strings without commas' }
    case 'object':
      return isStructure(value)
        ? { text: JSON.stringify(value) }
        : { rule: 'must be a mapping of finite numbers and strings' }
    case 'secret':
    case 'text':
      return typeof value === 'string' ? { text: value } : { rule: 'must be text; put it in quotes' }
  }
}

export function optionValueOf(key: OptionKey, text: string): unknown {
  switch (formOf(key)) {
    case 'flag':
      return text === 'true'
    case 'number':
      return Number(text)
    case 'list':
      return text === '' ? [] : text.split(',')
    case 'object': {
      const value: unknown = text.trim() === '' ? {} : JSON.parse(text)
      return key === 'Groups' ? shortGroups(value) : sorted(value)
    }
    case 'secret':
    case 'text':
      return text
  }
}

/** Sorts the names of a structure, so that equal structures have equal texts. Lists keep their order. */
export function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (!isObject(value)) return value
  const names = Object.keys(value).sort()
  return Object.fromEntries(names.map((name) => [name, sorted(value[name])]))
}

/** The canonical form of a JSON text; any other text is returned unchanged. */
export function canonicalJson(text: string): string {
  try {
    return JSON.stringify(sorted(JSON.parse(text)))
  } catch {
    return text
  }
}

/** Leaves out the values that every group has. */
function shortGroups(value: unknown): unknown {
  if (!isObject(value)) return value
  const shown = Object.entries(value).map(([name, group]) => {
    if (!isObject(group)) return [name, group] as const
    const said = Object.entries(group).filter(([field, each]) => field === 'ratio' || !isEmpty(each))
    return [name, Object.fromEntries(said)] as const
  })
  return sorted(Object.fromEntries(shown))
}

function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0
  return isObject(value) ? Object.keys(value).length === 0 : value === '' || value === 0
}

function isNames(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string' && !each.includes(','))
}

/** Excludes infinite numbers, which would become null in JSON. */
export function isStructure(value: unknown): value is Readonly<Record<string, unknown>> {
  return isObject(value) && Object.values(value).every(isFiniteAll)
}

function isFiniteAll(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value)
  return typeof value !== 'object' || value === null || Object.values(value).every(isFiniteAll)
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A number without an exponent, which settings do not accept. */
function plainNumber(value: number): string {
  const text = String(value)
  if (!text.includes('e')) return text
  let plain = value.toFixed(12)
  while (plain.includes('.') && /[.0]$/.test(plain)) plain = plain.slice(0, -1)
  return plain
}
