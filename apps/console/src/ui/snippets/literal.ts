/** How a language writes JSON values. */
export interface Syntax {
  readonly string: (text: string) => string
  readonly key: (name: string) => string
  readonly words: { readonly true: string; readonly false: string; readonly null: string }
  /** Space inside the braces of a one-line object. */
  readonly padding: '' | ' '
  /** After the last entry of a multi-line value. */
  readonly lastComma: '' | ','
  readonly indent: string
}

export const JSON_SYNTAX: Syntax = {
  string: (text) => JSON.stringify(text),
  key: (name) => JSON.stringify(name),
  words: { true: 'true', false: 'false', null: 'null' },
  padding: '',
  lastComma: '',
  indent: '  ',
}

/** Python reads the escapes of JSON as JSON does, except those of half a surrogate pair, which no text of ours contains. */
export const PYTHON_SYNTAX: Syntax = {
  ...JSON_SYNTAX,
  words: { true: 'True', false: 'False', null: 'None' },
  lastComma: ',',
  indent: '    ',
}

export const JAVASCRIPT_SYNTAX: Syntax = {
  ...JSON_SYNTAX,
  string: (text) =>
    `'${JSON.stringify(text)
      .slice(1, -1)
      .replaceAll(String.raw`\"`, '"')
      .replaceAll("'", String.raw`\'`)}'`,
  key: (name) => (/^[a-z_]\w*$/i.test(name) ? name : JAVASCRIPT_SYNTAX.string(name)),
  padding: ' ',
  lastComma: ',',
}

/** Maximum number of characters of a one-line value. */
const LINE = 72

/** A JSON value as the language writes it: on one line if it is short, otherwise with an entry per line. `depth` counts indents. */
export function literal(value: unknown, syntax: Syntax, depth = 0): string {
  if (value === null) return syntax.words.null
  if (typeof value === 'boolean') return syntax.words[value ? 'true' : 'false']
  if (typeof value === 'string') return syntax.string(value)
  if (typeof value !== 'object') return JSON.stringify(value)
  const [open, close, pad] = Array.isArray(value) ? ['[', ']', ''] : ['{', '}', syntax.padding]
  if (JSON.stringify(value).length <= LINE) {
    const entries = entriesOf(value, syntax, depth).join(', ')
    return entries === '' ? `${open}${close}` : `${open}${pad}${entries}${pad}${close}`
  }
  const inner = syntax.indent.repeat(depth + 1)
  const lines = entriesOf(value, syntax, depth + 1).map((entry) => `${inner}${entry}`)
  return `${open}\n${lines.join(',\n')}${syntax.lastComma}\n${syntax.indent.repeat(depth)}${close}`
}

function entriesOf(value: object, syntax: Syntax, depth: number): readonly string[] {
  if (Array.isArray(value)) return value.map((each) => literal(each, syntax, depth))
  return Object.entries(value).map(([name, each]) => `${syntax.key(name)}: ${literal(each, syntax, depth)}`)
}
