/** Developer messages that the specification requires in the browser's console. The only file that writes there. */
/* oxlint-disable no-console */
export const diagnostics = {
  warn: (text: string): void => console.warn(text),
  error: (text: string): void => console.error(text),
} as const
