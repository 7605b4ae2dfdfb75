/** `gpt-4o-2024-08-06`, `claude-haiku-4-5-20251001`. */
const DATED = /-20\d\d(?:-(?:0[1-9]|1[0-2])-|(?:0[1-9]|1[0-2]))(?:0[1-9]|[12]\d|3[01])$/

/** The name of a model without the date of its version. */
export function plainName(model: string): string {
  return model.replace(DATED, '')
}
