export const SNIPPET_LANGUAGES = ['curl', 'Python', 'JavaScript'] as const
export type SnippetLanguage = (typeof SNIPPET_LANGUAGES)[number]

export interface SnippetParts {
  /** With its `/v1`, without a trailing slash. */
  readonly baseUrl: string
  readonly key: string
  /** Body of `POST /v1/chat/completions`. With `stream`, the program prints the reply as it arrives. */
  readonly body: Readonly<Record<string, unknown>>
}

export function firstRequest(model: string): SnippetParts['body'] {
  return { model, messages: [{ role: 'user', content: 'Say hello.' }] }
}

export function snippet(language: SnippetLanguage, parts: SnippetParts): string {
  return { curl, Python: python, JavaScript: javascript }[language](parts).join('\n')
}

function curl({ baseUrl, key, body }: SnippetParts): readonly string[] {
  return [
    `curl ${body['stream'] === true ? '-N ' : ''}${baseUrl}/chat/completions \\`,
    `  -H "Authorization: Bearer ${key}" \\`,
    `  -H "Content-Type: application/json" \\`,
    `  -d '${literal(body, JSON_SYNTAX).replaceAll("'", String.raw`'\''`)}'`,
  ]
}

/** Parameters that providers added to the API; Python's client takes them as `extra_body`. */
const EXTENSIONS: ReadonlySet<string> = new Set(['top_k', 'thinking'])

function python({ baseUrl, key, body }: SnippetParts): readonly string[] {
  const entries = Object.entries(body)
  const known = entries.filter(([name]) => !EXTENSIONS.has(name))
  const extra = Object.fromEntries(entries.filter(([name]) => EXTENSIONS.has(name)))
  const all = Object.keys(extra).length > 0 ? [...known, ['extra_body', extra] as const] : known
  const streams = body['stream'] === true
  return [
    'from openai import OpenAI',
    '',
    `client = OpenAI(base_url=${JSON.stringify(baseUrl)}, api_key=${JSON.stringify(key)})`,
    `${streams ? 'stream' : 'reply'} = client.chat.completions.create(`,
    ...all.map(([name, value]) => `    ${name}=${literal(value, PYTHON_SYNTAX, 1)},`),
    ')',
    ...(streams
      ? [
          'for chunk in stream:',
          '    if chunk.choices:',
          '        print(chunk.choices[0].delta.content or "", end="", flush=True)',
        ]
      : ['print(reply.choices[0].message.content)']),
  ]
}

function javascript({ baseUrl, key, body }: SnippetParts): readonly string[] {
  const streams = body['stream'] === true
  return [
    "import OpenAI from 'openai'",
    '',
    `const client = new OpenAI({ baseURL: ${JAVASCRIPT_SYNTAX.string(baseUrl)}, apiKey: ${JAVASCRIPT_SYNTAX.string(key)} })`,
    `const ${streams ? 'stream' : 'reply'} = await client.chat.completions.create({`,
    ...Object.entries(body).map(([name, value]) => `  ${name}: ${literal(value, JAVASCRIPT_SYNTAX, 1)},`),
    '})',
    ...(streams
      ? ['for await (const chunk of stream) {', "  process.stdout.write(chunk.choices[0]?.delta.content ?? '')", '}']
      : ['console.log(reply.choices[0].message.content)']),
  ]
}

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

const JSON_SYNTAX: Syntax = {
  string: (text) => JSON.stringify(text),
  key: (name) => JSON.stringify(name),
  words: { true: 'true', false: 'false', null: 'null' },
  padding: '',
  lastComma: '',
  indent: '  ',
}

/** Python reads JSON's escapes as JSON does, except those of half a surrogate pair, which no text of ours contains. */
const PYTHON_SYNTAX: Syntax = {
  ...JSON_SYNTAX,
  words: { true: 'True', false: 'False', null: 'None' },
  lastComma: ',',
  indent: '    ',
}

const JAVASCRIPT_SYNTAX: Syntax = {
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

/** In characters; longer values are written on several lines. */
const LINE = 72

/** Short values on one line, others with an entry per line. `depth` counts indents. */
function literal(value: unknown, syntax: Syntax, depth = 0): string {
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
