/** Maximum number of options that a list draws; typing narrows down the others. */
const MOST_SHOWN = 100

/** The options that hold every typed word, those that start with the text first, at most a hundred. */
export function matchingOptions(options: readonly string[], text: string): string[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return options.slice(0, MOST_SHOWN)
  const found = options.filter((option) => words.every((word) => option.toLowerCase().includes(word)))
  const starts = (option: string) => option.toLowerCase().startsWith(words.join(' '))
  return [...found.filter(starts), ...found.filter((option) => !starts(option))].slice(0, MOST_SHOWN)
}
