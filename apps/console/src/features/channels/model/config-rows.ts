import { parseObject } from './channel-key.ts'

/** Settings that rows show; all others are kept and counted. */
export const ROW_FIELDS = ['ratio', 'completion_ratio', 'max_tokens'] as const
export type RowField = (typeof ROW_FIELDS)[number]

/** One model of `model_configs`; numbers as typed, empty for none. */
export type ConfigRow = { readonly [K in RowField | 'model']: string } & {
  readonly others: Readonly<Record<string, unknown>>
}

export interface RowsFormat<Row> {
  /** Undefined when rows cannot show the text. */
  readonly read: (text: string) => readonly Row[] | undefined
  readonly write: (rows: readonly Row[]) => string
  readonly nameOf: (row: Row) => string
  readonly empty: Row
}

export const CONFIG_ROWS: RowsFormat<ConfigRow> = {
  read: configRows,
  write: configText,
  nameOf: ({ model }) => model,
  empty: { model: '', ratio: '', completion_ratio: '', max_tokens: '', others: {} },
}

/** Undefined when rows cannot show all of the text, so that nothing is lost. */
export function configRows(text: string): readonly ConfigRow[] | undefined {
  const configs = text.trim() === '' ? {} : parseObject(text)
  const rows = Object.entries(configs ?? {}).map(([model, config]) => rowOf(model, config))
  return configs !== undefined && rows.every((row) => row !== undefined) ? rows : undefined
}

function rowOf(model: string, config: unknown): ConfigRow | undefined {
  if (typeof config !== 'object' || config === null || Array.isArray(config)) return undefined
  const { ratio, completion_ratio, max_tokens, ...others }: Readonly<Record<string, unknown>> = { ...config }
  const [a, b, c] = [ratio, completion_ratio, max_tokens].map(numberText)
  return a === undefined || b === undefined || c === undefined
    ? undefined
    : { model, ratio: a, completion_ratio: b, max_tokens: c, others }
}

function numberText(value: unknown): string | undefined {
  if (value === undefined) return ''
  return typeof value === 'number' ? String(value) : undefined
}

/** One model per line. A row without a model is left out; of two with the same name, the later one wins. */
export function configText(rows: readonly ConfigRow[]): string {
  const lines = new Map(
    rows
      .filter(({ model }) => model.trim() !== '')
      .map((row) => [row.model.trim(), `  ${JSON.stringify(row.model.trim())}: ${membersText(row)}`]),
  )
  return lines.size === 0 ? '' : `{\n${[...lines.values()].join(',\n')}\n}`
}

function membersText(row: ConfigRow): string {
  const own = ROW_FIELDS.flatMap((name) => (row[name].trim() === '' ? [] : [[name, Number(row[name])] as const]))
  const members = { ...Object.fromEntries(own), ...row.others }
  return JSON.stringify(members, undefined, 1).replace(/\n\s*/g, ' ')
}

/** Names that several rows have; only one of those rows would be saved. */
export function repeatedNames(names: readonly string[]): readonly string[] {
  const trimmed = names.map((name) => name.trim()).filter(Boolean)
  return [...new Set(trimmed.filter((name, index) => trimmed.indexOf(name) !== index))]
}

/** One entry of `model_mapping`: the name that clients use and the name at the provider. */
export interface MappingRow {
  readonly from: string
  readonly to: string
}

export const MAPPING_ROWS: RowsFormat<MappingRow> = {
  read: mappingRows,
  write: mappingText,
  nameOf: ({ from }) => from,
  empty: { from: '', to: '' },
}

export function mappingRows(text: string): readonly MappingRow[] | undefined {
  const map = text.trim() === '' ? {} : parseObject(text)
  if (map === undefined) return undefined
  const entries = Object.entries(map)
  const rows = entries.flatMap(([from, to]) => (typeof to === 'string' ? [{ from, to }] : []))
  return rows.length === entries.length ? rows : undefined
}

export function mappingText(rows: readonly MappingRow[]): string {
  const entries = rows.map(({ from, to }) => [from.trim(), to.trim()] as const).filter(([from]) => from !== '')
  return entries.length === 0 ? '' : JSON.stringify(Object.fromEntries(entries), undefined, 2)
}

/** Currency units per million tokens at a ratio of 1: a ratio is the price of 1,000 tokens in units of 0.002. */
const PER_MILLION = 2

/** In currency units per million tokens of input and output; undefined without a ratio. */
export function rowPrice({ ratio, completion_ratio: completion }: ConfigRow) {
  const input = Number(ratio)
  if (ratio.trim() === '' || !Number.isFinite(input)) return undefined
  const factor = completion.trim() === '' ? 1 : Number(completion)
  return { input: input * PER_MILLION, output: input * factor * PER_MILLION }
}

/** Prices from a type's default configs, one model per line; of all models if `models` is empty. Empty if no price is known. */
export function pricingOf(models: readonly string[], defaults: string): string {
  const known = Object.entries(parseObject(defaults) ?? {})
  const wanted = models.length === 0 ? known : known.filter(([model]) => models.includes(model))
  if (wanted.length === 0) return ''
  return `{\n${wanted.map(([model, config]) => `  ${JSON.stringify(model)}: ${spaced(config)}`).join(',\n')}\n}`
}

/** JSON on one line, with the usual spaces. */
function spaced(value: unknown): string {
  return JSON.stringify(value, undefined, 1).replace(/\n\s*/g, ' ')
}
