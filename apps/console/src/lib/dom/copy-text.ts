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
