import { CONFIG_FIELDS, PART_FIELDS, SECRET_CONFIG_FIELDS } from '@sluice/contract/channel-kinds'
import { type ChannelFormInput, FORM_SETTINGS } from './channel-form-values.ts'

type Field = keyof ChannelFormInput

export type Change =
  | { readonly field: Field; readonly kind: 'value'; readonly before: string; readonly after: string }
  | {
      readonly field: Field
      readonly kind: 'names'
      readonly added: readonly string[]
      readonly gone: readonly string[]
    }
  /** Lines of a long text that are added and removed, each with its position in the text. */
  | { readonly field: Field; readonly kind: 'lines'; readonly lines: readonly ChangedLine[] }
  /** Credentials are never shown. */
  | { readonly field: Field; readonly kind: 'secret' }

export interface ChangedLine {
  readonly sign: '+' | '-'
  readonly text: string
}

const SECRETS: readonly Field[] = ['key', ...SECRET_CONFIG_FIELDS, ...PART_FIELDS]
const LONG: readonly Field[] = FORM_SETTINGS.filter(({ kind }) => kind === 'json' || kind === 'long').map(
  ({ field }) => field,
)
/** In the order of the form. `key_form` says how a key is typed; it is not a setting. */
const ORDER: readonly Field[] = FORM_SETTINGS.flatMap(({ field }): readonly Field[] =>
  field === 'base_url' ? [field, 'key', ...PART_FIELDS, ...CONFIG_FIELDS] : [field],
)

export function changesOf(before: ChannelFormInput, after: Shown): readonly Change[] {
  return ORDER.flatMap((field) => changeOf(field, before[field], after[field] ?? before[field]) ?? [])
}

/** Fields that have never been shown can be missing. */
type Shown = { readonly [F in Field]?: ChannelFormInput[F] | undefined }

function changeOf(field: Field, before: ChannelFormInput[Field], after: ChannelFormInput[Field]): Change | undefined {
  if (Array.isArray(before) && Array.isArray(after)) {
    const added = after.filter((name) => !before.includes(name))
    const gone = before.filter((name) => !after.includes(name))
    return added.length + gone.length === 0 ? undefined : { field, kind: 'names', added, gone }
  }
  const [was, becomes] = [textOf(before), textOf(after)]
  if (was.trim() === becomes.trim()) return undefined
  if (SECRETS.includes(field)) return { field, kind: 'secret' }
  if (LONG.includes(field)) {
    const lines = changedLines(laidOut(was), laidOut(becomes))
    return lines.length === 0 ? undefined : { field, kind: 'lines', lines }
  }
  return { field, kind: 'value', before: was, after: becomes }
}

/** JSON is formatted before it is compared, so that spaces do not count as changes. */
function laidOut(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2)
  } catch {
    return text
  }
}

/** Every line is compared with every other, so a longer text is shown as replaced. */
const LINES_MAX = 500

function changedLines(before: string, after: string): readonly ChangedLine[] {
  const [old, new_] = [linesOf(before), linesOf(after)]
  if (old.length > LINES_MAX || new_.length > LINES_MAX) {
    return [...old.map((text) => ({ sign: '-', text }) as const), ...new_.map((text) => ({ sign: '+', text }) as const)]
  }
  return difference(old, new_)
}

/** The shortest edit from one list of lines to the other, by their longest common subsequence. */
function difference(old: readonly string[], next: readonly string[]): readonly ChangedLine[] {
  const width = next.length + 1
  const common = new Uint16Array((old.length + 1) * width)
  const at = (i: number, j: number) => common[i * width + j] ?? 0
  for (let i = old.length - 1; i >= 0; i--) {
    for (let j = next.length - 1; j >= 0; j--) {
      common[i * width + j] = old[i] === next[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
    }
  }
  const lines: ChangedLine[] = []
  let [i, j] = [0, 0]
  while (i < old.length || j < next.length) {
    const [gone, come] = [old[i], next[j]]
    if (gone !== undefined && gone === come) [i, j] = [i + 1, j + 1]
    else if (come === undefined || (gone !== undefined && at(i + 1, j) >= at(i, j + 1))) {
      lines.push({ sign: '-', text: gone ?? '' })
      i += 1
    } else {
      lines.push({ sign: '+', text: come })
      j += 1
    }
  }
  return lines
}

function linesOf(text: string): readonly string[] {
  return text.trim() === '' ? [] : text.split('\n')
}

function textOf(value: string | number | readonly string[]): string {
  if (typeof value === 'number') return Number.isNaN(value) ? '' : String(value)
  return typeof value === 'string' ? value : value.join(', ')
}
