/**
 * OpenAI's Responses group functions under a name, as Codex does with those of each MCP server, and allow the same function in two
 * groups. A grouped function is known here by both names. No function of OpenAI's has a dot in its name, so it is taken for no other.
 */
export function qualifiedName(namespace: string, name: string): string {
  return `${namespace}.${name}`
}

/** The name inside its group. */
export function innerName(qualified: string, namespace: string): string {
  return qualified.startsWith(`${namespace}.`) ? qualified.slice(namespace.length + 1) : qualified
}

/** One name for both, where no dots are taken: `mcp__files__read_file`, as clients name such functions themselves. */
export function flatName(qualified: string, namespace: string): string {
  const inner = innerName(qualified, namespace)
  return `${namespace}${namespace.endsWith('_') || inner.startsWith('_') ? '' : '__'}${inner}`
}
