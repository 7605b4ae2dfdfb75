/** One part of an answer, with everything that models write. */
const part = (index: number) => `## Part ${index}

A paragraph with **strong words**, *others*, \`code\` and a [link](https://example.com/${index}). It goes on for a while, so that it
takes more than one line, as paragraphs of answers do, and ends with a formula: $e^{i\\pi} + ${index} = 0$.

1. First point, which says something about \`value_${index}\`.
2. Second point, with a list of its own:
   - one thing
   - another *thing*

| Name | Value | Remark |
|---|---:|---|
| row ${index} | ${index * 17} | a remark |
| next | ${index * 3} | **another** |

\`\`\`ts
/** Adds what was asked for. */
export function sum${index}(values: readonly number[]): number {
  let total = ${index}
  for (const value of values) total += value * 2
  return values.length === 0 ? 0 : total // never less
}
\`\`\`

> Quoted words of somebody, part ${index}.

$$\\int_0^\\infty e^{-x^2}\\,dx = \\frac{\\sqrt{\\pi}}{${index + 2}}$$
`

/** Markdown of about this many characters, as a model writes it: prose, lists, tables, programs, formulas. */
export function longAnswer(characters: number): string {
  let text = ''
  for (let index = 1; text.length < characters; index++) text += `${part(index)}\n`
  return `${text}## The end`
}
