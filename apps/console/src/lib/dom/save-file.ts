/** How long the browser has to read the file, in milliseconds. */
const RELEASE_AFTER_MS = 60_000

export function saveFile(name: string, content: string | Blob, type: string): void {
  const url = URL.createObjectURL(new Blob([content], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), RELEASE_AFTER_MS)
}

/** False if the page is not served securely or the browser refuses. */
export async function copyText(text: string): Promise<boolean> {
  // Absent on plain http except on loopback, despite its type.
  const clipboard = navigator.clipboard as Clipboard | undefined
  if (clipboard === undefined) return false
  try {
    await clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}
