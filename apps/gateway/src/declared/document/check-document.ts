import { channelCreate } from '@sluice/contract/channel'
import { CHANNEL_KINDS, SECRET_CONFIG_FIELDS } from '@sluice/contract/channel-kinds'
import {
  type ConfigurationChannel,
  type ConfigurationDocument,
  type SecretReference,
  secretReference,
} from '@sluice/contract/configuration/document'
import { CHANNEL_SETTINGS } from '@sluice/contract/fields/channel'
import type { Field } from '@sluice/contract/fields/kinds'
import { isGroupSetting } from '@sluice/store/options/group-changes'
import { OPTION_DEFINITIONS, type OptionKey, RETIRED_OPTIONS } from '@sluice/store/options/option-definitions'
import { changeOptions, isOptionKey, readOptions } from '@sluice/store/options/options'
import * as v from 'valibot'
import { nearestName } from '../../environment/environment.ts'
import type { Path } from './node-at.ts'
import { formOf, isConfigurable, isStructure, optionTextOf } from './option-values.ts'
import {
  decodeDocument,
  type DocumentProblem,
  type Problems,
  type ReadDocument,
  readDocument,
} from './read-document.ts'
import type { ResolveSecret } from './secrets.ts'

export type ChannelForm = v.InferOutput<typeof channelCreate>

/** A channel of a file in the form that would create it. */
export interface DeclaredChannel {
  readonly form: ChannelForm
  /** Whether the file specifies its keys, or parts of them. */
  readonly hasKey: boolean
  /** Undefined if the file does not say. */
  readonly status: 'enabled' | 'disabled' | undefined
  readonly path: (field: string) => Path
}

export interface DeclaredOption {
  readonly key: OptionKey
  /** The text that a form submits; for a secret, the secret itself. */
  readonly text: string
}

/** A file whose values have each been checked, with its secrets. */
export interface DeclaredConfiguration extends Pick<ConfigurationDocument, 'owner' | 'revision'> {
  readonly document: ConfigurationDocument
  readonly options: readonly DeclaredOption[]
  readonly channels: readonly DeclaredChannel[]
  readonly problem: ReadDocument['problem']
}

const PROBLEMS_MAX = 20

/** Checks what the schema cannot: options by their definitions, unique names, and the permitted places of secrets. */
async function checkDocument(
  { document, problem }: ReadDocument,
  resolve: ResolveSecret,
): Promise<DeclaredConfiguration | Problems> {
  const problems: DocumentProblem[] = []
  const note = (path: Path, rule: string): undefined => void problems.push(problem(path, rule))
  const secretAt = async (path: Path, text: string): Promise<string | undefined> => {
    const reference = secretReference(text)
    if (reference === undefined)
      return note(path, 'is a secret: replace it with a reference, ${env:NAME} or ${file:/path}')
    return await resolved(path, reference)
  }
  const resolved = async (path: Path, reference: SecretReference): Promise<string | undefined> => {
    const found = await resolve(reference)
    return 'problem' in found ? note(path, found.problem) : found.value
  }

  const options: DeclaredOption[] = []
  for (const [name, value] of Object.entries(document.options)) {
    if (problems.length >= PROBLEMS_MAX) break
    const path = ['options', name]
    if (!isOptionKey(name) || !isConfigurable(name)) {
      note(path, unknownOption(name))
    } else if (formOf(name) === 'secret') {
      const text = typeof value === 'string' ? await secretAt(path, value) : note(path, NO_REFERENCE)
      if (text !== undefined) options.push({ key: name, text })
    } else {
      if (typeof value === 'string' && secretReference(value) !== undefined) note(path, STRAY_REFERENCE)
      const converted = optionTextOf(name, value)
      if ('rule' in converted) note(path, converted.rule)
      else options.push({ key: name, text: converted.text })
    }
  }

  for (const { key, rule } of brokenRules(options)) note(['options', key], rule)

  const channels: DeclaredChannel[] = []
  const places = new Map<string, number>()
  for (const [at, channel] of document.channels.entries()) {
    if (problems.length >= PROBLEMS_MAX) break
    const other = places.get(channel.name)
    if (other !== undefined) note(['channels', at, 'name'], `is also the name of channels[${other}]`)
    places.set(channel.name, at)
    const key = channel.key === undefined ? '' : await secretAt(['channels', at, 'key'], channel.key)
    const config = await configWithSecrets(channel, ['channels', at, 'config'], { note, secretAt })
    const stray = strayReference(channel)
    if (stray !== undefined) note(['channels', at, stray], STRAY_REFERENCE)
    if (key === undefined || config === undefined) continue
    const path = (field: string): Path => ['channels', at, ...pathOfField(field, config.value)]
    const parsed = v.safeParse(channelCreate, formOfChannel(channel, key, config.value))
    if (parsed.success) {
      channels.push({ form: parsed.output, hasKey: key !== '' || config.hasSecret, status: channel.status, path })
    } else {
      const [issue] = parsed.issues
      note(path(v.getDotPath(issue) ?? ''), ofChannelSchema(issue.message))
    }
  }
  if (problems.length > 0) return { problems: problems.slice(0, PROBLEMS_MAX) }
  return { document, owner: document.owner, revision: document.revision, options, channels, problem }
}

const NO_REFERENCE = 'is a secret: replace it with a reference, ${env:NAME} or ${file:/path}'
const STRAY_REFERENCE = 'is a reference, but references are only for secrets: write the value itself'

/** Rules that single options break; rules between options depend on the gateway. */
function brokenRules(
  options: readonly DeclaredOption[],
): readonly { readonly key: OptionKey; readonly rule: string }[] {
  const defaults = readOptions(new Map(), () => undefined).options
  const groups = options.filter(({ key }) => key === 'Groups')
  return options.flatMap(({ key, text }) => {
    const isAlone = formOf(key) !== 'flag' && (key !== 'GroupLimits' || groups.length > 0)
    if (!isAlone) return []
    const submitted = [...(key === 'GroupLimits' ? groups : []), { key, text }]
    const result = changeOptions(
      submitted.map((each) => ({ key: each.key, value: each.text })),
      defaults,
    )
    const isOwn = result.outcome === 'refused' && result.key === key
    return isOwn ? [{ key, rule: ruleWithoutKey(key, result.problem) }] : []
  })
}

/** Removes the option's key from a problem, because the place in the file already names it. */
export function ruleWithoutKey(key: string, problem: string): string {
  return problem.startsWith(`${key} `) ? problem.slice(key.length + 1) : problem
}

function unknownOption(name: string): string {
  if (name === 'LogClearedBefore') return 'is set by the gateway itself'
  if (isGroupSetting(name)) return 'is part of Groups: set it there'
  if (Object.hasOwn(RETIRED_OPTIONS, name)) return `is not used: ${RETIRED_OPTIONS[name]}`
  const known = Object.keys(OPTION_DEFINITIONS).filter((key) => isOptionKey(key) && isConfigurable(key))
  return `is not an option; did you mean ${nearestName(name, known)}?`
}

type Finders = {
  readonly note: (path: Path, rule: string) => undefined
  readonly secretAt: (path: Path, text: string) => Promise<string | undefined>
}

/** The config with its references replaced by their secrets; undefined when one has a problem. */
async function configWithSecrets(
  { config }: ConfigurationChannel,
  path: Path,
  { note, secretAt }: Finders,
): Promise<{ readonly value: Readonly<Record<string, unknown>> | undefined; readonly hasSecret: boolean } | undefined> {
  if (config === undefined) return { value: undefined, hasSecret: false }
  if (!isStructure(config)) return note(path, 'contains a number that is not finite')
  const value: Record<string, unknown> = {}
  let hasSecret = false
  for (const [name, member] of Object.entries(config)) {
    if (!isSecretField(name)) {
      if (typeof member === 'string' && secretReference(member) !== undefined)
        return note([...path, name], STRAY_REFERENCE)
      value[name] = member
      continue
    }
    const text =
      typeof member === 'string' ? await secretAt([...path, name], member) : note([...path, name], NO_REFERENCE)
    if (text === undefined) return undefined
    hasSecret = true
    value[name] = text
  }
  return { value, hasSecret }
}

function isSecretField(name: string): boolean {
  return SECRET_CONFIG_FIELDS.some((field) => field === name)
}

/** Finds a reference in a field that does not hold a secret. */
function strayReference(channel: ConfigurationChannel): string | undefined {
  const { key: _key, config: _config, ...fields } = channel
  return Object.entries(fields).find(
    ([, value]) => typeof value === 'string' && secretReference(value) !== undefined,
  )?.[0]
}

/** The form as it is sent: lists separated by commas, structures as JSON. */
function formOfChannel(
  channel: ConfigurationChannel,
  key: string,
  config: Readonly<Record<string, unknown>> | undefined,
): v.InferInput<typeof channelCreate> {
  const declared: Readonly<Record<string, unknown>> = { ...channel, config }
  const fields = CHANNEL_SETTINGS.map(({ name, declaredAs, kind }) => [name, formValue(kind, declared[declaredAs])])
  return { ...Object.fromEntries(fields), key, keys_in_one: true } as v.InferInput<typeof channelCreate>
}

function formValue(kind: Field['kind'], declared: unknown): unknown {
  if (kind === 'code' && typeof declared === 'string') return codeOf(declared)
  if (kind === 'names' && Array.isArray(declared)) return declared.join(',')
  if (kind === 'json' && typeof declared === 'object' && declared !== null)
    return Object.keys(declared).length === 0 ? null : JSON.stringify(declared)
  return declared
}

function codeOf(name: string): number {
  return CHANNEL_KINDS.find((kind) => kind.name === name)?.code ?? 0
}

function pathOfField(field: string, config: Readonly<Record<string, unknown>> | undefined): Path {
  const [first = '', ...rest] = field.split('.')
  if (first === 'group') return ['groups']
  return first === 'config' && config !== undefined ? ['config', ...rest] : [first]
}

/** The library's own messages repeat their input. */
function ofChannelSchema(message: string): string {
  return message.startsWith('Invalid ') && message.includes('Received') ? 'is not valid' : message
}

/** Reads and checks a file on its own, with its secrets; the plan checks what depends on the current state. */
export async function loadDocument(
  content: Uint8Array | string,
  resolve: ResolveSecret,
): Promise<DeclaredConfiguration | Problems> {
  const text = typeof content === 'string' ? content : decodeDocument(content)
  if (typeof text !== 'string') return text
  const read = readDocument(text)
  return 'problems' in read ? read : await checkDocument(read, resolve)
}
