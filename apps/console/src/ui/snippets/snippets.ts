import { JAVASCRIPT_SYNTAX, JSON_SYNTAX, literal, PYTHON_SYNTAX } from './literal.ts'

/** Languages in which a request is shown. */
export const SNIPPET_LANGUAGES = ['curl', 'Python', 'JavaScript'] as const
export type SnippetLanguage = (typeof SNIPPET_LANGUAGES)[number]

export interface SnippetParts {
  /** With its `/v1`, without a trailing slash. */
  readonly baseUrl: string
  readonly key: string
  /** Body of `POST /v1/chat/completions`. With `stream` the program prints the reply while it arrives. */
  readonly body: Readonly<Record<string, unknown>>
}

/** The smallest request that gets an answer. */
export function firstRequest(model: string): SnippetParts['body'] {
  return { model, messages: [{ role: 'user', content: 'Say hello.' }] }
}

/** A complete program that sends one request and prints the answer. */
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

/** Parameters that providers added to the API; Python's client takes them under a name of its own. */
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
