/** How long the browser has to read the text before it is released, in milliseconds. */
const RELEASE_AFTER_MS = 60_000

/** Passes a text or a picture to the browser as a file to save. */
export function saveFile(name: string, content: string | Blob, type: string): void {
  const url = URL.createObjectURL(new Blob([content], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), RELEASE_AFTER_MS)
}
