/** The first match wins: agents come before their SDKs. Client text is never stored: the only families are these and `other`. */
const FAMILIES: readonly (readonly [family: string, pattern: RegExp])[] = [
  ['claude-code', /^claude-(cli|code)\//i],
  ['codex', /^codex[-_\w]*\//i],
  ['gemini-cli', /^gemini-?cli[-\w]*\//i],
  ['qwen-code', /^qwen-?code\//i],
  ['opencode', /(^|\s)opencode\//i],
  ['cline', /^cline\//i],
  ['roo-code', /^roo-?code\//i],
  ['kilo-code', /^kilo-?code\//i],
  ['aider', /^aider\//i],
  ['litellm', /^litellm\//i],
  ['openai-python', /^(async)?(azure)?openai\/python\b/i],
  ['openai-node', /^(azure)?openai\/js\b/i],
  ['anthropic-python', /^(async)?anthropic\w*\/python\b/i],
  ['anthropic-node', /^anthropic\w*\/js\b/i],
  ['google-genai', /^google-genai-sdk\//i],
  ['langchain', /^langchain/i],
  ['vercel-ai', /(^|\s)ai(-sdk)?\//i],
  ['curl', /^curl\//i],
  ['browser', /^mozilla\//i],
]

/** Longer texts are cut before they are matched. */
const READ_MAX = 200

export const CLIENT_FAMILIES: readonly string[] = [...FAMILIES.map(([family]) => family), 'other']

/** `other` for a `User-Agent` that is unknown or missing. */
export function clientFamily(userAgent: string | undefined): string {
  if (userAgent === undefined) return 'other'
  const read = userAgent.slice(0, READ_MAX)
  return FAMILIES.find(([, pattern]) => pattern.test(read))?.[0] ?? 'other'
}
