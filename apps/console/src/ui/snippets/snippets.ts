/** Languages in which a first request is shown. */
export const SNIPPET_LANGUAGES = ['curl', 'Python', 'JavaScript'] as const
export type SnippetLanguage = (typeof SNIPPET_LANGUAGES)[number]

export interface SnippetParts {
  /** With its `/v1`, without a slash at the end. */
  readonly baseUrl: string
  readonly key: string
  readonly model: string
}

/** A complete program that sends one message and prints the answer. */
export function snippet(language: SnippetLanguage, { baseUrl, key, model }: SnippetParts): string {
  switch (language) {
    case 'curl':
      return [
        `curl ${baseUrl}/chat/completions \\`,
        `  -H "Authorization: Bearer ${key}" \\`,
        `  -H "Content-Type: application/json" \\`,
        `  -d '${JSON.stringify({ model, messages: [{ role: 'user', content: 'Say hello.' }] }).replaceAll("'", String.raw`'\''`)}'`,
      ].join('\n')
    case 'Python':
      return [
        'from openai import OpenAI',
        '',
        `client = OpenAI(base_url=${JSON.stringify(baseUrl)}, api_key=${JSON.stringify(key)})`,
        'reply = client.chat.completions.create(',
        `    model=${JSON.stringify(model)},`,
        '    messages=[{"role": "user", "content": "Say hello."}],',
        ')',
        'print(reply.choices[0].message.content)',
      ].join('\n')
    case 'JavaScript':
      return [
        "import OpenAI from 'openai'",
        '',
        `const client = new OpenAI({ baseURL: ${JSON.stringify(baseUrl)}, apiKey: ${JSON.stringify(key)} })`,
        'const reply = await client.chat.completions.create({',
        `  model: ${JSON.stringify(model)},`,
        "  messages: [{ role: 'user', content: 'Say hello.' }],",
        '})',
        'console.log(reply.choices[0].message.content)',
      ].join('\n')
  }
}
