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

/** Whether the text reached the clipboard; it does not if the page is not served securely or the browser refuses. */
export async function copyText(text: string): Promise<boolean> {
  // Absent on plain http except on loopback, whatever the type says.
  const clipboard = navigator.clipboard as Clipboard | undefined
  if (clipboard === undefined) return false
  try {
    await clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}
