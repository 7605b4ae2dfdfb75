import { splitList } from '@sluice/contract/fields/comma-list'
import { changeGroups, groupSettingText, isGroupSetting } from './group-changes.ts'
import { type GroupLimits, groupLimitsText, parseGroupLimits } from './group-limits.ts'
import { type GroupDetails, groupsOf, parseDetails, parseRatios, parseSetting } from './groups.ts'
import { type ModelFallbacks, modelFallbacksText, parseModelFallbacks } from './model-fallbacks.ts'
import {
  OPTION_DEFINITIONS,
  type OptionDefinition,
  type OptionKey,
  type OptionValue,
  RETIRED_OPTIONS,
} from './option-definitions.ts'
import { pricesTextProblem } from './prices-text.ts'

/** Every option with its type; unset ones have their defaults, unset secrets are empty. */
export type Options = { readonly [Key in OptionKey]: OptionValue<(typeof OPTION_DEFINITIONS)[Key]> }

export interface OptionSubmission {
  readonly key: string
  readonly value: string | number | boolean
  /** Empties a secret; without it, submitting a blank secret keeps the stored one. */
  readonly clear?: boolean | undefined
}

/** The changes to store together; `text` must be sealed when `secret`. Secrets that do not change are left out. */
export type OptionChanges =
  | { readonly outcome: 'set'; readonly changes: readonly OptionEntry[]; readonly after: Options }
  | { readonly outcome: 'refused'; readonly key: string; readonly problem: string }

export interface OptionEntry {
  readonly key: OptionKey
  readonly text: string
  readonly secret: boolean
}

/**
 * Checks settings against their definitions, and the resulting settings against each other: all are accepted or none. The order
 * does not matter, so a client id and the switch that needs it can be submitted together. Unknown keys are refused.
 */
export function changeOptions(submitted: readonly OptionSubmission[], current: Options): OptionChanges {
  const values: Record<string, unknown> = { ...current }
  const changes = new Map<OptionKey, OptionEntry>()
  const ofGroups = new Map<string, string>()
  for (const { key, value, clear } of submitted) {
    if (isGroupSetting(key)) {
      if (ofGroups.has(key)) return { outcome: 'refused', key, problem: `${key} appears twice` }
      ofGroups.set(key, String(value))
      continue
    }
    if (!isOptionKey(key)) return { outcome: 'refused', key, problem: unknownKey(key) }
    if (changes.has(key)) return { outcome: 'refused', key, problem: `${key} appears twice` }
    const definition: OptionDefinition = OPTION_DEFINITIONS[key]
    const text = String(value)
    const secret = definition.type === 'secret'
    if (secret && clear !== true && isNoSecret(text)) continue
    const parsed = parseValue(definition, secret && clear === true ? '' : text)
    if ('problem' in parsed) return { outcome: 'refused', key, problem: `${key} ${parsed.problem}` }
    if ('details' in parsed) continue
    values[key] = parsed.value
    changes.set(key, { key, text: secret && clear === true ? '' : text, secret })
  }
  if (ofGroups.size > 0) {
    const changed = changeGroups(current.Groups, ofGroups)
    if ('problem' in changed) {
      return { outcome: 'refused', key: changed.key, problem: `${changed.key} ${changed.problem}` }
    }
    values['Groups'] = changed.groups
    values['GroupRatio'] = changed.ratios
    for (const { key, text } of changed.rows) changes.set(key, { key, text, secret: false })
  }
  // Each key has been filled from its own definition.
  const after = values as Options
  const unmet =
    unmetNeed(after, new Set(changes.keys())) ?? (changes.has('GroupLimits') ? strayLimit(after) : undefined)
  return unmet ?? { outcome: 'set', changes: [...changes.values()], after }
}

/** True when the text is blank, or only the mask that a form shows instead of a secret (class S33). */
function isNoSecret(text: string): boolean {
  return /^[*•●·.\s]*$/.test(text)
}

/** Finds an enabled switch that lacks a setting it needs, if either has changed. */
function unmetNeed(after: Options, changed: ReadonlySet<string>): OptionChanges | undefined {
  for (const [key, definition] of Object.entries<OptionDefinition>(OPTION_DEFINITIONS)) {
    if (definition.type !== 'flag' || definition.needs === undefined || !isOptionKey(key)) continue
    if (after[key] !== true) continue
    for (const needed of definition.needs) {
      if (!isEmpty(isOptionKey(needed) ? after[needed] : '')) continue
      if (changed.has(key))
        return { outcome: 'refused', key, problem: `${key} cannot be enabled before ${needed} is set` }
      if (changed.has(needed))
        return { outcome: 'refused', key: needed, problem: `${needed} cannot be empty while ${key} is on` }
    }
  }
  return undefined
}

/** A limit for a group that does not exist would silently limit no one. */
function strayLimit({ GroupLimits, GroupRatio }: Options): OptionChanges | undefined {
  const stray = [...GroupLimits.keys()].find((group) => !GroupRatio.has(group))
  if (stray === undefined) return undefined
  const problem = `GroupLimits names the group "${stray.slice(0, 32)}", which is not in GroupRatio`
  return { outcome: 'refused', key: 'GroupLimits', problem }
}

function isEmpty(value: unknown): boolean {
  return value === '' || (Array.isArray(value) && value.length === 0)
}

/**
 * The stored options as typed values. `openSecret` opens a sealed value, undefined when it cannot. A stored value that does not fit
 * its definition is replaced by the default and named in `problems`, which never contain a value.
 */
export function readOptions(
  stored: ReadonlyMap<string, string>,
  openSecret: (sealed: string) => string | undefined,
): { readonly options: Options; readonly problems: readonly string[] } {
  const values: Record<string, unknown> = defaultValues()
  const problems: string[] = []
  let details: ReadonlyMap<string, GroupDetails> = new Map()
  for (const [key, text] of stored) {
    if (!isOptionKey(key)) {
      problems.push(unknownKey(key))
      continue
    }
    const definition: OptionDefinition = OPTION_DEFINITIONS[key]
    const plain = definition.type === 'secret' ? openSecret(text) : text
    const parsed =
      plain === undefined
        ? { problem: 'cannot be decrypted with the current master key' }
        : parseValue(definition, plain)
    if ('problem' in parsed) problems.push(`${key} ${parsed.problem}`)
    else if ('details' in parsed) details = parsed.details
    else values[key] = parsed.value
  }
  // Each key has been filled from its own definition.
  const options = values as Options
  return { options: { ...options, Groups: groupsOf(options.GroupRatio, details) }, problems }
}

/** The value as the settings calls show it; undefined for a secret, which is never shown. */
export function optionText(key: OptionKey, options: Options): string | undefined {
  if (OPTION_DEFINITIONS[key].type === 'secret') return undefined
  if (key === 'ModelFallbacks') return modelFallbacksText(options[key])
  if (key === 'GroupLimits') return groupLimitsText(options[key])
  if (key === 'GroupRatio' || key === 'Groups') return groupSettingText(key, options.Groups)
  const value = options[key]
  return typeof value === 'object' ? value.join(',') : String(value)
}

export function isOptionKey(key: string): key is OptionKey {
  return Object.hasOwn(OPTION_DEFINITIONS, key)
}

function unknownKey(key: string): string {
  const instead = Object.hasOwn(RETIRED_OPTIONS, key) ? RETIRED_OPTIONS[key] : undefined
  return instead === undefined ? `"${key.slice(0, 100)}" is not an option` : `${key} is not used: ${instead}`
}

function defaultValues(): Record<string, unknown> {
  const entries = Object.entries<OptionDefinition>(OPTION_DEFINITIONS)
  return Object.fromEntries(
    entries.map(([key, definition]) => [key, definition.type === 'secret' ? '' : definition.default]),
  )
}

type Parsed =
  | {
      readonly value:
        | string
        | number
        | boolean
        | readonly string[]
        | ReadonlyMap<string, bigint>
        | ModelFallbacks
        | GroupLimits
    }
  /** Stored group details besides the ratios. */
  | { readonly details: ReadonlyMap<string, GroupDetails> }
  | { readonly problem: string }

const SECRET_MAX = 10_000
const ADDRESS_MAX = 2_000

function parseValue(definition: OptionDefinition, text: string): Parsed {
  switch (definition.type) {
    case 'flag':
      return text === 'true' || text === 'false' ? { value: text === 'true' } : { problem: 'must be true or false' }
    case 'text':
      return parseText(definition, text)
    case 'secret':
      return text.length <= SECRET_MAX ? { value: text } : { problem: `is limited to ${SECRET_MAX} characters` }
    case 'choice':
      return definition.values.includes(text)
        ? { value: text }
        : { problem: `must be one of ${definition.values.filter(Boolean).join(', ')}` }
    case 'integer':
    case 'decimal':
      return parseNumber(definition, text)
    case 'list': {
      const entries = splitList(text)
      return entries.every((entry) => definition.form.pattern.test(entry))
        ? { value: entries }
        : { problem: definition.form.rule }
    }
    case 'ratios':
      return parseRatios(parseSetting(text))
    case 'groups': {
      const parsed = parseDetails(text)
      return 'problem' in parsed ? parsed : { details: parsed.value }
    }
    case 'fallbacks':
      return parseModelFallbacks(text.trim() === '' ? {} : parseSetting(text))
    case 'limits':
      return parseGroupLimits(text.trim() === '' ? {} : parseSetting(text))
    case 'prices': {
      const problem = pricesTextProblem(text)
      return problem === undefined ? { value: text } : { problem }
    }
    case 'address':
      if (text === '') return definition.required ? { problem: 'must not be empty' } : { value: text }
      return isHttpAddress(text)
        ? { value: text }
        : { problem: 'must be an http:// or https:// address without a user name and password' }
  }
}

function parseText({ maxLength, form, required }: OptionDefinition & { type: 'text' }, text: string): Parsed {
  if (text.length > maxLength) return { problem: `is limited to ${maxLength} characters` }
  if (text.trim() === '') return required ? { problem: 'must not be empty' } : { value: text }
  return form === undefined || form.pattern.test(text) ? { value: text } : { problem: form.rule }
}

function parseNumber(definition: { type: 'integer' | 'decimal'; min: number; max: number }, text: string): Parsed {
  const { type, min, max } = definition
  const shape = type === 'integer' ? /^-?\d{1,16}$/ : /^-?\d{1,16}(\.\d{1,12})?$/
  const value = Number(text)
  const fits = shape.test(text) && value >= min && value <= max
  return fits
    ? { value }
    : { problem: `must be ${type === 'integer' ? 'an integer' : 'a number'} from ${min} to ${max}` }
}

function isHttpAddress(text: string): boolean {
  if (text.length > ADDRESS_MAX || !/^https?:\/\/[^\s\\]+$/i.test(text) || !URL.canParse(text)) return false
  const { username, password } = new URL(text)
  return username === '' && password === ''
}
