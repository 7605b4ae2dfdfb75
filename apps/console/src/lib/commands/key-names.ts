/** The keys of a command one by one, as they are printed on a keyboard: `$mod+k` is Ctrl and K, or ⌘ and K on a Mac. */
export function keyNames(keys: string, isMac: boolean): readonly string[] {
  return keys
    .split(' ')
    .flatMap((press) => press.replace('[Shift]+', '').split(/\+(?=.)/))
    .map((key) => {
      if (key === '$mod') return isMac ? '⌘' : 'Ctrl'
      if (key === 'Shift') return isMac ? '⇧' : 'Shift'
      return key.length === 1 && keys.includes('+') ? key.toUpperCase() : key
    })
}

/** Whether this browser runs where Cmd replaces Ctrl. */
export function isMac(platform: string): boolean {
  return /^(Mac|iP(hone|ad|od))/.test(platform)
}
