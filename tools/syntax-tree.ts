/** A node of a parsed source file, or any object below one. */
export type SyntaxNode = Readonly<Record<string, unknown>>

export const isNode = (value: unknown): value is SyntaxNode => typeof value === 'object' && value !== null

/** Visits every object below `value`, parents first. */
export function walkTree(value: unknown, visit: (node: SyntaxNode) => void): void {
  if (Array.isArray(value)) for (const each of value) walkTree(each, visit)
  else if (isNode(value)) {
    visit(value)
    for (const each of Object.values(value)) walkTree(each, visit)
  }
}
